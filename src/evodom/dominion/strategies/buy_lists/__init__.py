"""Buy lists: ordered rules, of which the first is followed whose card can be had and whose conditions hold.

The baselines are buy lists written by hand (`handwritten`).
"""

from evodom.dominion.strategies.model import Edits, FileForm, Genetics, Model, Parts, Setting

BUY_LIST = Setting("buy-list", "an ordered list of what to buy, how many and when")


def _load() -> Parts:
    from evodom.dominion.strategies.buy_lists import edits, file, words
    from evodom.dominion.strategies.buy_lists import genetics as genome
    from evodom.dominion.strategies.buy_lists import rules as columns
    from evodom.dominion.strategies.buy_lists import rules as conditions
    from evodom.dominion.strategies.buy_lists.select import select_by_list

    return Parts(
        columns=columns.COLUMNS,
        select=select_by_list,
        is_sound=conditions.is_sound,
        draws=False,
        told_apart_by=("rules", "conditions"),
        traits=words.traits,
        in_words=words.in_words,
        genetics=Genetics(
            first=genome.random_genomes,
            random=genome.random_genomes,
            cross=genome.cross,
            mutate=genome.mutate,
            upgrade=genome.upgrade,
            encode=genome.encode,
            diversity=genome.diversity,
            early_green=genome.early_green,
        ),
        file=FileForm(file.KEYS, file.read, file.cards, file.encode, file.dump, implied_by="buy"),
        edits=Edits(edits.without, edits.with_more, edits.simplified, edits.as_rules),
    )


BUY_LISTS = Model("buy-list", settings=(BUY_LIST,), load=_load)
"""Strategies that buy what the first rule that holds says."""
