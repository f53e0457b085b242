"""Rules of Dominion as compiled kernels. The engine imports no strategy.

Words of the engine:

- A *pile* is a stack of equal cards in the Supply. Its number also stands for each of its cards, wherever they are. A
  *mask* is an integer with a bit for each pile, or for each seat. The *mask of some cards* is the mask of their piles.
- A *row* of `State.cards` counts the cards of one zone, and of one seat where the zone has seats.
- An *Effect* is one change to the game. In kernels, ``effect`` is its index in the table `Rules.effects`.
- A *program* is the sequence of Effects resolved for a played or triggered card. The program of an Attack begins with
  the offer to reveal a Reaction, which `Card.effects` does not contain.
- The *player* of a card is the seat that played it. An Effect may be resolved by another seat, such as a victim.
- A card in hand, or a played card, *watches* for an event if the event triggers Effects of the card (`effect.Watch`).

`dominion.effects` is below `dominion.cards`, which builds cards from Effects. The engine is above the cards.

Order of reading: `turn` (control flow), `state` (the record), `dominion.effects` (cards), `rules` and `compiler` (cards
as numbers), `resolve` and `choices` (Effects in play), `expansions` (mechanics of sets other than the Base Set),
`observation` (features of a state), `batch` (many games). The entry points are `batch.start_game`, `turn.advance`,
`turn.enact`, `turn.write_result` and `redeal.redeal`.
"""
