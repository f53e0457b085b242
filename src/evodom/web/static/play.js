// The page of games.

import { $, ask, attempt, begin, fill, h } from "./page.js";

begin();
const found = await attempt(() => ask("/api/play/games"));
fill($("#main"), h("h1", {}, "Play"), h("ul", {}, (found?.games ?? []).map((game) => h("li", {}, game.name, " ", game.stage))));
