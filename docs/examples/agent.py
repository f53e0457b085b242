"""A hand-written agent: Big Money with two Smithies, Duchies near the end.

evodom match docs/examples/agent.py big-money --games 1000 --seed 1
evodom play --opponent docs/examples/agent.py
"""


def agent(view, decision):
    """Return the answer to a decision from the view of its player."""
    answers = {answer.name: answer for answer in decision.consequences}
    wanted = wishes(view) if decision.kind == "buy" else ("Smithy",)
    return next((answers[name] for name in wanted if name in answers), decision.consequences[-1])


def wishes(view):
    """Return the cards to buy, best first."""
    provinces = view.supply["Province"]
    yield "Province"
    if provinces <= 4:
        yield "Duchy"
    if provinces <= 2:
        yield "Estate"
    yield "Gold"
    if view.owned["Smithy"] < 1 + (sum(view.owned.values()) > 15):
        yield "Smithy"
    yield "Silver"
