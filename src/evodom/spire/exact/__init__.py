"""The fights that can be solved exactly: the rows played on an immutable `Combat`, as an interpreter of its own.

`known` says which cards, enemies and relics these are, `acts` what each operation of their effects does to a `Board`;
`turn` are the rules of a turn. A `Fight` is for `solve`: its actions are plans for a whole turn, and a fight against
one enemy is computed for its `shape`, in which the enemy has plenty of HP (see `plans` and `board`). `CardFight` is the
same fight card by card.
"""
