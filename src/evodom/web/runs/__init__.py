"""Watch: the saved runs, how far those are that are worked on, their reports, and tournaments between them."""
