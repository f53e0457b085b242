"""The functions that `evodom` exports for programs and notebooks: matches, evolution, training, advice, strategies.

Each function does the work of a command and returns a result. A result has ``to_dict``, a text form with the main
figures, an HTML form for notebooks, and ``plot``.

    results      the base class of results, and pictures
    strategies   strategies by name, and their choices in states
    contests     `play_match` and `tournament`
    runs         `evolve` and `train`
    history      statistics of a run as a table
    compare      `compare`
    advice       `advise`
"""
