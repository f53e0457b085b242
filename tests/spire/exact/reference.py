"""A second fight engine, written from the rules alone and as plainly as possible, to check the first one with.

Piles are lists, cards are played one by one, cards are drawn one by one, and nothing is left out. It shares no
code with evodom: only the names of cards, enemies and relics are the same. It knows ascensions 0 (`hard` false) and 20.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

STRIKE_LIKE = {"Strike": 6, "Strike+": 9, "Anger": 6, "Carnage": 20, "Wild Strike": 12}
COSTS = {
    "Strike": 1,
    "Strike+": 1,
    "Defend": 1,
    "Bash": 2,
    "Anger": 0,
    "Twin Strike": 1,
    "Pommel Strike": 1,
    "Shrug It Off": 1,
    "Body Slam": 1,
    "Clash": 0,
    "Clothesline": 2,
    "Flex": 0,
    "True Grit": 1,
    "True Grit+": 1,
    "Offering": 0,
    "Inflame": 1,
    "Metallicize": 1,
    "Disarm": 1,
    "Carnage": 2,
    "Wild Strike": 1,
    "Power Through": 1,
    "Cleave": 1,
    "Uppercut": 2,
    "Battle Trance": 0,
    "Seeing Red": 1,
    "Slimed": 1,
    "Demon Form": 3,
    "Iron Wave": 1,
}
ATTACKS = {
    "Bash",
    "Twin Strike",
    "Pommel Strike",
    "Body Slam",
    "Clash",
    "Clothesline",
    "Cleave",
    "Uppercut",
    "Iron Wave",
}
ATTACKS |= set(STRIKE_LIKE)
POWERS = {"Inflame", "Metallicize", "Demon Form"}
NO_SKILL = ATTACKS | POWERS | {"Slimed"}
AIMED = ATTACKS - {"Cleave"} | {"Disarm"}
EXHAUST = {"Offering", "Disarm", "Slimed", "Seeing Red"}
ETHEREAL = {"Ascender's Bane", "Dazed", "Carnage"}


@dataclass
class Who:
    """The player or an enemy."""

    name: str
    hp: int
    block: int = 0
    has: dict = field(default_factory=dict)
    move: str = ""
    past: tuple = ()
    new: set = field(default_factory=set)

    def copy(self):
        return Who(self.name, self.hp, self.block, dict(self.has), self.move, self.past, set(self.new))

    def of(self, status):
        return self.has.get(status, 0)

    def get(self, status, n, *, bad=False, by_move=False):
        if bad and self.of("Artifact"):
            self.has["Artifact"] -= 1
            return
        if by_move and not self.of(status):
            self.new.add(status)
        self.has[status] = self.of(status) + n


@dataclass
class Table:
    """Everything there is in a fight."""

    you: Who
    foes: list
    draw: list
    energy: int = 3
    hand: list = field(default_factory=list)
    discard: list = field(default_factory=list)

    def copy(self):
        return Table(
            self.you.copy(),
            [f.copy() for f in self.foes],
            list(self.draw),
            self.energy,
            list(self.hand),
            list(self.discard),
        )

    def key(self):
        people = tuple(
            (
                w.name,
                w.hp,
                w.block,
                tuple(sorted((s, n) for s, n in w.has.items() if n)),
                w.move,
                tuple(w.past[-2:]),
                len(w.past) * (w.name == "Lagavulin"),
            )
            for w in (self.you, *self.foes)
        )
        return people, self.energy, *(tuple(sorted(pile)) for pile in (self.hand, self.draw, self.discard))


class Reference:
    """Solves one fight: `value()` is the most HP that can be expected to be left."""

    def __init__(self, foes, deck, hp, *, hard=True, relics=(), max_hp=999):
        self.hard, self.relics, self.max_hp, self.known = hard, relics, max_hp, {}
        self.chances = []
        for p, started in self._starts(foes):
            table = Table(Who("you", hp), started, list(deck))
            self._relics_at_start(table)
            for q, drawn in self._draw(self._new_turn(table), 5):
                self.chances.append((p * q, drawn))

    def value(self):
        return sum(p * self._best(table) for p, table in self.chances)

    def _best(self, table):
        if table.you.hp <= 0:
            return Fraction(0)
        if not table.foes:
            return Fraction(min(self.max_hp, table.you.hp + 6 * ("Burning Blood" in self.relics)))
        key = table.key()
        if key not in self.known:
            options = [self._end(table.copy())]
            for card in sorted(set(table.hand)):
                if card not in COSTS or COSTS[card] > table.energy:
                    continue
                if card == "Clash" and not all(other in ATTACKS for other in table.hand):
                    continue
                for target in range(len(table.foes)) if card in AIMED else [0]:
                    options += self._plays(table, card, target)
            self.known[key] = max(sum(p * self._best(t) for p, t in option) for option in options)
        return self.known[key]

    def _plays(self, table, card, target):
        """Return a list of (chance, table) for each way to play a card."""
        if card == "True Grit+" and len(table.hand) > 1:
            rest = list(table.hand)
            rest.remove(card)
            ways = []
            for other in sorted(set(rest)):
                copied = table.copy()
                copied.hand.remove(other)
                ways.append(self._play(copied, card, target))
            return ways
        return [self._play(table.copy(), card, target)]

    def _play(self, t, card, target):
        you, foe, count = t.you, t.foes[target], 0
        t.hand.remove(card)
        t.energy -= COSTS[card]
        curls = {}
        if card in STRIKE_LIKE:
            self._hit(t, foe, STRIKE_LIKE[card], curls)
        match card:
            case "Bash":
                self._hit(t, foe, 8, curls)
                foe.get("Vulnerable", 2, bad=True)
            case "Twin Strike":
                self._hit(t, foe, 5, curls)
                self._hit(t, foe, 5, curls)
            case "Pommel Strike":
                self._hit(t, foe, 9, curls)
                count = 1
            case "Body Slam":
                self._hit(t, foe, you.block, curls)
            case "Clash":
                self._hit(t, foe, 14, curls)
            case "Iron Wave":
                self._shield(you, 5)
                self._hit(t, foe, 5, curls)
            case "Clothesline":
                self._hit(t, foe, 12, curls)
                foe.get("Weak", 2, bad=True)
            case "Uppercut":
                self._hit(t, foe, 13, curls)
                foe.get("Weak", 1, bad=True)
                foe.get("Vulnerable", 1, bad=True)
            case "Cleave":
                for each in list(t.foes):
                    self._hit(t, each, 8, curls)
            case "Anger":
                t.discard.append("Anger")
            case "Wild Strike":
                t.draw.append("Wound")
            case "Defend":
                self._shield(you, 5)
            case "Shrug It Off":
                self._shield(you, 8)
                count = 1
            case "True Grit":
                self._shield(you, 7)
            case "True Grit+":
                self._shield(you, 9)
            case "Power Through":
                self._shield(you, 15)
                for _ in range(2):
                    (t.hand if len(t.hand) < 10 else t.discard).append("Wound")
            case "Flex":
                you.get("Strength", 2)
                you.get("Flexed", 2)
            case "Inflame":
                you.get("Strength", 2)
            case "Metallicize":
                you.get("Metallicize", 3)
            case "Demon Form":
                you.get("Demon Form", 2)
            case "Disarm":
                foe.get("Strength", -2, bad=True)
            case "Seeing Red":
                t.energy += 2
            case "Offering":
                you.hp -= 6
                t.energy += 2
                count = 3
            case "Battle Trance":
                count = 3
        if card in ATTACKS:
            you.has.pop("Vigor", None)
        t.foes = [each for each in t.foes if each.hp > 0]
        for each in t.foes:
            each.block += curls.get(id(each), 0)
            if card not in NO_SKILL and each.of("Enrage"):
                each.get("Strength", each.of("Enrage"))
        if you.hp <= 0 or not t.foes:
            return [(Fraction(1), t)]
        if card == "True Grit" and t.hand:
            found = []
            for i in range(len(t.hand)):
                copied = t.copy()
                del copied.hand[i]
                found.append((Fraction(1, len(t.hand)), copied))
        else:
            found = self._draw(t, count)
        if card not in EXHAUST | POWERS:
            for _, each in found:
                each.discard.append(card)
        if card == "Battle Trance":
            for _, each in found:
                each.you.get("No Draw", 1)
        return found

    def _hit(self, t, foe, base, curls):
        if foe.hp <= 0:
            return
        damage = self._damage(t.you, foe, base)
        lost = max(0, damage - foe.block)
        foe.block = max(0, foe.block - damage)
        foe.hp -= lost
        if lost and foe.hp > 0 and foe.of("Curl Up"):
            curls[id(foe)] = foe.has.pop("Curl Up")
        if lost:
            self._wake(foe)

    def _wake(self, foe):
        if foe.of("Asleep"):
            foe.has.pop("Asleep")
            foe.has.pop("Metallicize")
            foe.move = "Stunned"

    def _damage(self, attacker, defender, base):
        damage = Fraction(base + attacker.of("Strength") + attacker.of("Vigor"))
        damage *= Fraction(3, 4) if attacker.of("Weak") else 1
        damage *= Fraction(3, 2) if defender.of("Vulnerable") else 1
        return max(0, floor(damage))

    def _shield(self, who, base):
        block = Fraction(base + who.of("Dexterity")) * (Fraction(3, 4) if who.of("Frail") else 1)
        who.block += max(0, floor(block))

    def _draw(self, t, n):
        """Draw one card after the other."""
        if not n or t.you.of("No Draw") or len(t.hand) >= 10 or not t.draw + t.discard:
            return [(Fraction(1), t)]
        if not t.draw:
            t.draw, t.discard = t.discard, []
        found = []
        for card in sorted(set(t.draw)):
            copied = t.copy()
            copied.draw.remove(card)
            copied.hand.append(card)
            p = Fraction(t.draw.count(card), len(t.draw))
            found += [(p * q, drawn) for q, drawn in self._draw(copied, n - 1)]
        return found

    def _end(self, t):
        you = t.you
        if "Orichalcum" in self.relics and you.block == 0:
            you.block = 6
        you.block += you.of("Metallicize")
        you.get("Strength", -you.of("Flexed"))
        you.has.pop("Flexed", None)
        you.has.pop("No Draw", None)
        t.discard += [card for card in t.hand if card not in ETHEREAL]
        t.hand = []
        for foe in t.foes:
            foe.block = 0
        for foe in t.foes:
            self._move(t, foe)
            if you.hp <= 0:
                return [(Fraction(1), t)]
        t.foes = [foe for foe in t.foes if foe.hp > 0]
        if not t.foes:
            return [(Fraction(1), t)]
        for foe in t.foes:
            foe.block += foe.of("Metallicize")
        for who in (you, *t.foes):
            if who is not you and "Ritual" not in who.new:
                who.get("Strength", who.of("Ritual"))
            for status in ("Weak", "Vulnerable", "Frail"):
                if who.of(status) and status not in who.new:
                    who.has[status] -= 1
            who.new = set()
        tables = [(Fraction(1), t)]
        for i in range(len(t.foes)):
            tables = [(p * q, u) for p, old in tables for q, u in self._choose(old, i)]
        return [(p * q, u) for p, old in tables for q, u in self._draw(self._new_turn(old), 5 if old.foes else 0)]

    def _choose(self, t, i):
        found = []
        for p, move in self._next(t.foes[i].name, t.foes[i].past, first=False):
            copied = t.copy()
            copied.foes[i].move = move
            found.append((p, copied))
        return found

    def _new_turn(self, t):
        t.you.block, t.energy = 0, 3
        if "Mercury Hourglass" in self.relics:
            for foe in t.foes:
                lost = max(0, 3 - foe.block)
                foe.block = max(0, foe.block - 3)
                foe.hp -= lost
                if lost:
                    self._wake(foe)
            t.foes = [foe for foe in t.foes if foe.hp > 0]
        if t.you.of("Demon Form"):
            t.you.get("Strength", t.you.of("Demon Form"))
        return t

    def _relics_at_start(self, t):
        given = {"Vajra": "Strength", "Oddly Smooth Stone": "Dexterity"}
        for relic, status in given.items():
            if relic in self.relics:
                t.you.get(status, 1)
        if "Akabeko" in self.relics:
            t.you.get("Vigor", 8)
        if "Bronze Scales" in self.relics:
            t.you.get("Thorns", 3)
        if "Bag of Marbles" in self.relics:
            for foe in t.foes:
                foe.get("Vulnerable", 1, bad=True)

    # the enemies

    def _starts(self, foes):
        found = [(Fraction(1), [])]
        for name, hp in foes:
            options = []
            for p, move in self._next(name, (), first=True):
                for q, has in self._statuses(name):
                    block = 8 if name == "Lagavulin" else 0
                    options.append((p * q, Who(name, hp, block, has, move)))
            found = [(p * q, [*before, who]) for p, before in found for q, who in options]
        return [(p, [who.copy() for who in foes]) for p, foes in found]

    def _statuses(self, name):
        if "Louse" in name:
            curls, bites = (range(9, 13), (6, 7, 8)) if self.hard else (range(3, 8), (5, 6, 7))
            share = Fraction(1, len(curls) * len(bites))
            return [(share, {"Curl Up": c, "d": b}) for c in curls for b in bites]
        start = {"Lagavulin": {"Asleep": 1, "Metallicize": 8}, "Sentry": {"Artifact": 1}}
        return [(Fraction(1), start.get(name, {}))]

    def _move(self, t, foe):
        hard, you = self.hard, t.you
        hit = lambda base: self._foe_hits(t, foe, base)  # noqa: E731  # a table of moves reads best with it
        moves = {
            "Incantation": lambda: foe.get("Ritual", 5 if hard else 3, by_move=True),
            "Dark Strike": lambda: hit(6),
            "Chomp": lambda: hit(12 if hard else 11),
            "Thrash": lambda: (hit(7), self._plain(foe, 5)),
            "Growl": lambda: (foe.get("Strength", 5 if hard else 3), self._plain(foe, 9 if hard else 6)),
            "Bite": lambda: hit(foe.of("d")),
            "Grow": lambda: foe.get("Strength", 4 if hard else 3),
            "Spit Web": lambda: you.get("Weak", 2, by_move=True),
            "Tackle": lambda: hit({"Acid Slime (S)": 3, "Spike Slime (S)": 5}[foe.name] + hard),
            "Lick": lambda: you.get("Weak", 1, by_move=True),
            "Frail Lick": lambda: you.get("Frail", 1, by_move=True),
            "Flame Tackle": lambda: (hit(10 if hard else 8), t.discard.append("Slimed")),
            "Roar": lambda: foe.get("Enrage", 3 if hard else 2),
            "Rush": lambda: hit(16 if hard else 14),
            "Skull Bash": lambda: (hit(8 if hard else 6), you.get("Vulnerable", 2, by_move=True)),
            "Sleep": lambda: len(foe.past) == 2 and (foe.has.pop("Asleep"), foe.has.pop("Metallicize")),
            "Stunned": lambda: None,
            "Attack": lambda: hit(20 if hard else 18),
            "Siphon Soul": lambda: [you.get(s, -2 if hard else -1) for s in ("Strength", "Dexterity")],
            "Bolt": lambda: t.discard.extend(["Dazed"] * (3 if hard else 2)),
            "Beam": lambda: hit(10 if hard else 9),
        }
        moves[foe.move]()
        foe.past = (*foe.past, foe.move)

    def _plain(self, who, n):
        who.block += n

    def _foe_hits(self, t, foe, base):
        damage = self._damage(foe, t.you, base)
        t.you.hp -= max(0, damage - t.you.block)
        t.you.block = max(0, t.you.block - damage)
        back = t.you.of("Thorns")
        foe.hp -= max(0, back - foe.block)

    def _next(self, name, past, *, first):
        """Return (chance, move) of the next move, as the rules tell it."""
        twice = past[-1] if len(past) > 1 and past[-1] == past[-2] else None
        last = past[-1] if past else None
        sure = lambda move: [(Fraction(1), move)]  # noqa: E731
        if name == "Cultist":
            return sure("Incantation" if first else "Dark Strike")
        if name == "Jaw Worm":
            if first:
                return sure("Chomp")
            chomp = [(Fraction(5625, 10000), "Growl"), (Fraction(4375, 10000), "Thrash")]
            thrash = [(Fraction(357, 1000), "Chomp"), (Fraction(643, 1000), "Growl")]
            growl = [(Fraction(416, 1000), "Chomp"), (Fraction(584, 1000), "Thrash")]
            return self._mix(
                (25, chomp if last == "Chomp" else sure("Chomp")),
                (30, thrash if twice == "Thrash" else sure("Thrash")),
                (45, growl if last == "Growl" else sure("Growl")),
            )
        if "Louse" in name:
            other = "Grow" if name == "Red Louse" else "Spit Web"
            barred = last == other if self.hard else twice == other
            return self._mix((25, sure("Bite" if barred else other)), (75, sure(other if twice == "Bite" else "Bite")))
        if name == "Acid Slime (S)":
            if first:
                return sure("Lick") if self.hard else self._mix((50, sure("Lick")), (50, sure("Tackle")))
            return sure("Lick" if last == "Tackle" else "Tackle")
        if name == "Spike Slime (S)":
            return sure("Tackle")
        if name == "Spike Slime (M)":
            barred = last == "Frail Lick" if self.hard else twice == "Frail Lick"
            return self._mix(
                (30, sure("Frail Lick" if twice == "Flame Tackle" else "Flame Tackle")),
                (70, sure("Flame Tackle" if barred else "Frail Lick")),
            )
        if name == "Gremlin Nob":
            if first:
                return sure("Roar")
            if self.hard:
                return sure("Skull Bash" if last == "Roar" or twice == "Rush" else "Rush")
            return self._mix((33, sure("Skull Bash")), (67, sure("Skull Bash" if twice == "Rush" else "Rush")))
        if name == "Lagavulin":
            if first or (last == "Sleep" and len(past) < 3):
                return sure("Sleep")
            return sure("Siphon Soul" if twice == "Attack" else "Attack")
        assert name == "Sentry"
        return sure("Beam" if last == "Bolt" else "Bolt")

    def _mix(self, *parts):
        return [(Fraction(weight, 100) * p, move) for weight, options in parts for p, move in options]
