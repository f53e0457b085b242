"""Play in the browser: the games of `evodom play`, with the table as a page."""
