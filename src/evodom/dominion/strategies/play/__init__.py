"""How a strategy plays its cards: the choices that buy lists, preferences and networks share.

A model wants cards (`models`). These modules discard, trash, trade and order cards by values that are computed from the
state. `answers` has the questions with one answer for all models, `choices` the others. `estimates` values Effects and
hands in coins, `hand_values` and `deck_values` value cards, `lookahead` finds gains that win or lose the game.
"""
