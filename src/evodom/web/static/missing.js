// The page for an unknown address. Its text is in the HTML; this adds the navigation bar.

import { begin } from "./page.js";

begin();
