"""Buy lists: ordered rules. The first rule whose card is available and whose conditions hold is followed."""
