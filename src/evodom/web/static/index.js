// The first page: where one can go from here.

import { $, begin, fill, h } from "./page.js";

const PLACES = [["/play", "Play", "Dominion against networks, champions and baselines, or with friends at one screen."]];

begin();
fill(
  $("#main"),
  h("h1", {}, "evodom"),
  h("ul", { class: "places" }, PLACES.map(([path, name, what]) => h("li", {}, h("a", { href: path }, h("h2", {}, name), h("p", {}, what))))),
);
