"""An interpreter of the rows of fights on immutable positions, card by card: an oracle for the compiled engine.

It has 89 cards, 17 enemies and the relics whose every effect it knows. `board` has fighters and effects, `turn` the
rules of a turn, `fight` a fight as a game that lists its outcomes.
"""
