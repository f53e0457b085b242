// The page of an address that has none: its text is in its HTML, and this adds the bar with the other pages.

import { begin } from "./page.js";

begin();
