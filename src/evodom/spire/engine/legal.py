"""Which cards can be played, and what they cost."""

from typing import Any

from evodom.kernel import kernel
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
def playable(rules: Any, fight: Any, kind: Any, only_attacks: Any) -> Any:
    """Tell whether a card of the hand can be played."""
    cost = cost_of(rules, fight, kind)
    if cost == UNPLAYABLE or cost > fight.energy:
        return False
    if rules.needs_attacks[kind] and not only_attacks:
        return False
    return not (rules.type[kind] == ATTACK and fight.powers[ENTANGLED] > 0)
