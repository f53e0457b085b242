"""Search: rules of selection, flat search by playouts, and the estimate of one action by any search.

`evodom.matches.playout_search` searches Dominion by playouts; `evodom.spire.play` searches fights by trees.
"""
