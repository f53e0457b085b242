"""Ask: ten cards are picked, and the plan for them appears while it is being found."""
