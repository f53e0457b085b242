"""Buy lists: ordered rules, of which the first is followed whose card can be had and whose conditions hold."""
