"""Which cards can be played, and what they cost."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import ATTACK, CURSE, HAND, SKILL, STATUS
from evodom.spire.engine.statuses import C_CANDLE, C_CHOKER, C_MEDICAL, CORRUPTION, ENTANGLED

X_COST = -1
UNPLAYABLE = -2


@kernel
def cost_of(rules: Any, fight: Any, kind: Any) -> Any:
    """Return what a card costs now; UNPLAYABLE if it cannot be played at any cost."""
    cost = rules.cost[kind]
    if cost == UNPLAYABLE:
        if (rules.type[kind] == CURSE and rules.change[C_CANDLE]) or (
            rules.type[kind] == STATUS and rules.change[C_MEDICAL]
        ):
            return 0
        return UNPLAYABLE
    if rules.type[kind] == SKILL and fight.powers[CORRUPTION] > 0:
        return 0
    if cost == X_COST:
        return fight.energy
    return cost


@kernel
def may_play(rules: Any, fight: Any) -> Any:
    """Tell whether any more card may be played this turn."""
    if rules.counts_cards:
        if rules.change[C_CHOKER] and fight.played >= rules.change[C_CHOKER]:
            return False
        for kind in range(rules.n_kinds):
            if rules.limit[kind] and fight.piles[HAND, kind] > 0 and fight.played >= rules.limit[kind]:
                return False
    return True


@kernel
def only_attacks(rules: Any, fight: Any) -> Any:
    """Tell whether all cards of the hand are Attacks."""
    others = 0
    for kind in range(rules.n_kinds):
        if rules.type[kind] != ATTACK:
            others += fight.piles[HAND, kind]
    return others == 0


@kernel
def allowed(rules: Any, fight: Any, kind: Any) -> Any:
    """Tell whether a card may be played now, whatever energy there is."""
    return cost_of(rules, fight, kind) != UNPLAYABLE and may_play(rules, fight) and _fits(rules, fight, kind)


@kernel
def affordable(rules: Any, fight: Any, kind: Any) -> Any:
    """Tell whether a card can be played with the energy there is, in a turn in which any more card may be."""
    cost = cost_of(rules, fight, kind)
    return cost != UNPLAYABLE and cost <= fight.energy and _fits(rules, fight, kind)


@kernel
def _fits(rules: Any, fight: Any, kind: Any) -> Any:
    """Tell whether neither the card's own words nor Entangled forbid it."""
    if rules.needs_attacks[kind] and not only_attacks(rules, fight):
        return False
    return not (rules.type[kind] == ATTACK and fight.powers[ENTANGLED] > 0)
