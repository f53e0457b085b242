"""One network for all fights of act 1: `traits` says what cards and enemies do, `cast` makes a fight's network."""
