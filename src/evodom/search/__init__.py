"""Search: rules of selection, flat search by playouts, and the result of a search about each action.

`evodom.matches.playout_search` searches Dominion by playouts; `evodom.spire.play` searches fights by trees.
"""
