// The first page: where one can go from here.

import { $, begin, fill, h } from "./page.js";

const PLACES = [
  ["/play", "Play", "Dominion against networks, champions and baselines, or with friends at one screen."],
  ["/ask", "Ask", "Ten cards: what is best with them, what to open with, which are traps. The plan appears while it is found."],
  ["/watch", "Watch", "Saved runs and how far they are, reports with pictures, tournaments between strategies."],
  ["/fights", "Fights", "A fight of Slay the Spire move by move, with what every choice is worth."],
  ["/map", "Map", "The map of an act and the best route through it, by what rooms are worth to you."],
];

begin();
fill(
  $("#main"),
  h("h1", {}, "evodom"),
  h("ul", { class: "places" }, PLACES.map(([path, name, what]) => h("li", {}, h("a", { href: path }, h("h2", {}, name), h("p", {}, what))))),
);
