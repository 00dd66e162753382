"""The bank told a second time, flat, from the printed rules (rules.md A.1..A.3, B.1..B.3). Imports nothing of ours.

Chips are a dictionary that is changed in place. Acts are (name, arguments); `do` says whether the act was lawful.
Ended coups are words a side: player, banker, tie, void, refused.
"""

from __future__ import annotations

Act = tuple


class Casino:
    def __init__(self, **house: object) -> None:
        self.h = house
        self.ring = list(range(1, house["places"] + 1))
        self.half = house["places"] // 2
        self.banker = {"passes": 1, "stays": "banker", "house": None}[house["kind"]]
        self.cards = {"right": 1, "left": self.half + 1} if house["kind"] == "stays" else {}
        self.phase = "open" if house["kind"] == "house" else "awaiting"
        self.chips: dict = {}
        self.bets: dict = {}  # (who, spot) -> amount, in the order in which they came
        self.held: dict = {}  # the same, what of it rides
        self.caller = None  # (kind, place)
        self.again = None
        self.asked = 0
        self.out: set = set()

    # ---- chips

    def pay(self, source, target, amount: int) -> None:
        self.chips[source] = self.chips.get(source, 0) - amount
        self.chips[target] = self.chips.get(target, 0) + amount

    def bank(self) -> int:
        return self.chips.get("bank", 0)

    def on_table(self) -> int:
        return sum(self.bets.values())

    def put(self, who, spot, amount: int) -> None:
        self.pay(who, "stakes", amount - self.bets.get((who, spot), 0))
        self.bets[who, spot] = amount
        if amount == 0 and who != "punters":
            del self.bets[who, spot]
        self.held[who, spot] = min(self.held.get((who, spot), 0), amount)

    def sweep(self) -> None:
        for who, spot in list(self.bets):
            self.put(who, spot, 0)
        self.bets, self.held, self.caller = {}, {}, None

    def riding(self) -> bool:
        return any(self.held.values())

    # ---- people

    def side(self, place: int) -> str:
        if self.h["kind"] == "passes":
            return "punter"
        return "right" if place <= self.half else "left"

    def give(self, ring: list) -> None:
        """The first of the ring who may hold cards is banker."""
        able = [place for place in ring if place not in self.out]
        if not able:
            self.ring, self.banker = ring, None
            return
        while ring[0] != able[0]:
            ring = ring[1:] + ring[:1]
        self.ring, self.banker = ring, ring[0]

    def retire(self) -> None:
        self.sweep()
        self.pay("bank", self.banker, self.bank())
        self.give(self.ring[1:] + self.ring[:1])
        self.phase = "awaiting"

    def seats_of(self, side: str) -> list[int]:
        return sorted(place for place in self.ring if self.side(place) == side and place not in self.out)

    def fill(self) -> None:
        for side, place in self.cards.items():
            if place not in self.seats_of(side):
                self.advance(side)

    def advance(self, side: str) -> None:
        seats = self.seats_of(side)
        further = [place for place in seats if place > (self.cards[side] or 0)]
        self.cards[side] = (further + seats + [None])[0]

    def distance(self, place: int) -> int:
        """How far a punter sits from where the calling of banco starts."""
        if self.h["kind"] == "passes":
            way = [one for one in self.ring if one != self.banker]
        else:
            way = [*range(1, self.half + 1), *range(2 * self.half, self.half, -1)]
        return (way[::-1] if self.h["from_left"] else way).index(place)

    def strength(self, kind: str, place: int) -> tuple[int, int]:
        if kind == "suivi" and self.h["suivi_first"]:
            return 0, self.distance(place)
        return (2 if kind == "with-table" else 1), self.distance(place)

    # ---- acts

    def do(self, act: Act) -> bool:
        name, *rest = act
        return getattr(self, name)(*rest)

    def show(self, amount: int) -> bool:
        lawful = self.phase in {"awaiting", "open"} and self.banker and not self.caller and amount > 0
        if not lawful or amount < self.bank():
            return False
        self.pay(self.banker, "bank", amount - self.bank())
        self.phase, self.asked = "open", 0
        return True

    def decline(self) -> bool:
        if self.phase != "awaiting" or self.h["kind"] != "passes":
            return False
        self.give(self.ring[1:] + self.ring[:1])
        return True

    def pass_(self) -> bool:
        if self.phase != "open" or self.riding() or self.banker is None:
            return False
        self.sweep()
        if self.h["kind"] == "passes":
            self.asked, self.phase = self.bank(), "passing"
        else:
            self.phase = "awaiting"
        self.pay("bank", self.banker, self.bank())
        return True

    def _hand_to(self, taker: int) -> None:
        late, rest = self.ring[0], self.ring[1:]
        at = rest.index(taker)
        self.ring, self.banker = [*rest[at:], *rest[:at], late], taker

    def take(self, place: int, amount: int) -> bool:
        able = place in self.ring[1:] and place not in self.out
        if self.phase != "passing" or not able or amount != self.asked:
            return False
        self._hand_to(place)
        self.pay(place, "bank", amount)
        self.phase, self.asked = "open", 0
        return True

    def nobody(self) -> bool:
        if self.phase != "passing":
            return False
        able = [place for place in self.ring[1:] if place not in self.out]
        if able:
            self._hand_to(able[0])
        else:
            self.give(self.ring)
        self.phase, self.asked = "awaiting", 0
        return True

    def stake(self, who: int, spot: str, amount: int) -> bool:
        if self.h["money"] != "full" or self.phase not in {"open", "reopened"} or amount < 0:
            return False
        if spot not in self.h["spots"] or who == self.banker or not (who in self.ring or who > self.h["places"]):
            return False
        if self.caller and (self.caller[0] != "with-table" or self.caller[1] == who):
            return False
        if self.phase == "open" and amount < self.held.get((who, spot), 0):
            return False
        self.put(who, spot, amount)
        return True

    def cover(self, spot: str, amount: int) -> bool:
        if self.h["money"] != "bank" or self.phase not in {"open", "reopened"} or amount < 0:
            return False
        if spot not in self.h["spots"] or spot == "a-cheval" or (self.caller and self.caller[0] != "with-table"):
            return False
        if self.phase == "open" and amount < self.held.get(("punters", spot), 0):
            return False
        if self.h["limited"] and self.on_table() - self.bets.get(("punters", spot), 0) + amount > self.bank():
            return False
        self.put("punters", spot, amount)
        return True

    def banco(self, place: int, kind: str) -> bool:
        if self.phase != "open" or kind not in self.h["claims"] or place not in self.ring or place == self.banker:
            return False
        if place in self.out or self.riding() or (kind == "suivi" and self.again != place):
            return False
        if kind == "with-table" and self.bank() < 2:
            return False
        if self.caller and self.strength(kind, place) >= self.strength(*self.caller):
            return False
        leaves = [key for key in self.bets if kind != "with-table" or key[0] in {place, (self.caller or (0, 0))[1]}]
        for who, spot in leaves:
            self.put(who, spot, 0)
            self.bets.pop((who, spot), None)
        self.put(place, self.side(place), self.bank() // 2 if kind == "with-table" else self.bank())
        self.caller = (kind, place)
        return True

    def unbanco(self) -> bool:
        if self.phase not in {"open", "reopened"} or not self.caller or (self.phase == "open" and self.riding()):
            return False
        for who, spot in list(self.bets):
            if who == self.caller[1]:
                self.put(who, spot, 0)
        self.caller = None
        return True

    def close(self) -> bool:
        if self.phase not in {"open", "reopened"}:
            return False
        one = self.h["kind"] == "passes" and self.h["money"] == "bank" and self.phase == "open"
        if one and ("punters", "punter") not in self.bets and (not self.caller or self.caller[0] == "with-table"):
            self.put("punters", "punter", self.bank() - self.on_table())
        if self.h["kind"] != "house" and self.h["limited"]:
            self._trim()
        self.phase = "closed"
        return True

    def _trim(self) -> None:
        """Take back from the last in preference until the bank can pay all."""
        if self.h["kind"] == "passes":
            order = [place for place in self.ring if place != self.banker]
        else:
            order = [place for near in range(1, self.half + 1) for place in (near, near + self.half)]
        first = [key for key in self.bets if self.caller and key[0] == self.caller[1]]
        seated = [key for place in order for key in self.bets if key[0] == place and place in self.ring]
        rest = [key for key in self.bets if key not in seated]
        line = list(dict.fromkeys([*first, *seated, *rest]))
        for who, spot in reversed(line):
            over = self.on_table() - self.bank()
            if over > 0:
                self.put(who, spot, max(0, self.bets[who, spot] - over))

    def reopen(self, rule: str) -> bool:
        if self.phase != "closed" or rule not in self.h["reopens"]:
            return False
        self.phase = "reopened"
        return True

    def settle(self, **ends: str) -> bool:
        if self.phase != "closed" or self.h["kind"] == "house":
            return False
        if "refused" in ends.values() and self.h["kind"] == "passes":
            return False
        up = self.h["odd"] == "player"
        profit: dict = {}
        keep: dict = {}
        pays: list = []
        for (who, spot), amount in self.bets.items():
            words = list(ends.values()) if spot == "a-cheval" else [ends[spot]]
            score = words.count("player") - words.count("banker")
            twice = amount * abs(score) * (2 // len(words))  # in half units
            moved = (twice + (1 if up == (score > 0) else 0)) // 2
            if score:
                profit[spot] = profit.get(spot, 0) - moved * (1 if score > 0 else -1)
            if score < 0:
                self.pay("stakes", "bank", moved)
                self.pay("stakes", who, amount - moved)
            elif score > 0:
                pays.append((who, moved))
                self.pay("stakes", who, amount)
            elif self.h["ties"] == "ride" and not {"void", "refused"} & set(words):
                if amount:
                    keep[who, spot] = amount
            else:
                self.pay("stakes", who, amount)
        for who, amount in pays:
            self.pay("bank", who, amount)
        heaps = list(profit.values()) if self.h["rake_on"] == "side" else [sum(profit.values())]
        for heap in heaps:
            parts = max(heap, 0) * self.h["rake_bp"]
            self.pay("bank", "rake", parts // 10_000 if up else (parts + 9_999) // 10_000)
        if self.bank() < 0:
            self.pay(self.banker, "bank", -self.bank())
        self._again(ends, keep)
        self.bets, self.held = dict(keep), dict(keep)
        if self.caller and self.caller[1] not in [who for who, _ in keep]:
            self.caller = None
        self._next(ends)
        return True

    def _again(self, ends: dict, keep: dict) -> None:
        null = {"void", "refused"}
        if self.caller is None:
            if not set(ends.values()) <= null:
                self.again = None
            return
        kind, place = self.caller
        word = ends[self.side(place)]
        if word in null or place in [who for who, _ in keep]:
            return
        self.again = place if kind != "with-table" and word == "banker" else None

    def _next(self, ends: dict) -> None:
        if self.h["kind"] == "stays":
            for side, word in ends.items():
                if word == "banker":
                    self.advance(side)
            self.fill()
            self.phase = "open" if self.bank() else "awaiting"
        elif "player" in ends.values() or self.banker in self.out:
            self.retire()
        else:
            self.phase = "open"

    def sit(self, place: int) -> bool:
        if place in self.ring or not 1 <= place <= self.h["places"]:
            return False
        if self.h["kind"] != "passes" or not self.ring:
            self.ring = sorted([*self.ring, place])
        else:
            lower = [one for one in self.ring if one < place] or self.ring
            self.ring.insert(self.ring.index(max(lower)) + 1, place)
        self._settle_down()
        return True

    def leave(self, place: int) -> bool:
        if place not in self.ring or self.phase in {"closed", "reopened"}:
            return False
        if place in [who for who, _ in self.bets] or (place == self.banker and self.phase != "awaiting"):
            return False
        self.ring.remove(place)
        self.out.discard(place)
        self.again = None if self.again == place else self.again
        if place == self.banker:
            self.give(self.ring)
        self._settle_down()
        return True

    def _settle_down(self) -> None:
        if self.h["kind"] == "passes" and self.banker is None:
            self.give(self.ring)
        elif self.phase not in {"closed", "reopened"}:
            self.fill()

    def bar(self, place: int) -> bool:
        if place not in self.ring:
            return False
        self.out.add(place)
        if self.phase in {"closed", "reopened"}:
            return True
        if place != self.banker:
            if self.caller and self.caller[1] == place and not self.riding():
                self.unbanco()
            self._settle_down()
        elif self.phase == "open" and not self.riding():
            self.retire()
        elif self.phase == "awaiting":
            self.give(self.ring)
        return True

    def readmit(self, place: int) -> bool:
        if place not in self.out:
            return False
        self.out.discard(place)
        self._settle_down()
        return True

    def finish(self, word: str, p: int, b: int, np: int, nb: int, pp: str, bp: str) -> bool:
        """The house pays: pp and bp are none, rank or perfect."""
        if self.phase != "closed" or self.h["kind"] != "house":
            return False
        wins = {
            "player": word == "player",
            "banker": word == "banker",
            "tie": word == "tie",
            "dragon-7": (word, b, nb) == ("banker", 7, 3),
            "panda-8": (word, p, np) == ("player", 8, 3),
            "super-6": (word, b) == ("banker", 6),
            "player-pair": pp != "none",
            "banker-pair": bp != "none",
            "either-pair": (pp, bp) != ("none", "none"),
            "perfect-pair": "perfect" in {pp, bp},
        }
        odds = {"player": 1, "tie": 8, "dragon-7": 40, "panda-8": 25, "super-6": 12, "either-pair": 5}
        odds |= {"player-pair": 11, "banker-pair": 11, "perfect-pair": 25}
        for (who, spot), amount in self.bets.items():
            self.pay("stakes", who, amount)
            if word == "forced-end" or (word == "tie" and spot in {"player", "banker"}):
                continue
            if not wins[spot]:
                self.pay(who, "house", amount)
            elif spot == "banker":
                commission = amount // 20 if self.h["odd"] == "player" else (amount + 19) // 20
                self.pay("house", who, amount - commission)
            else:
                self.pay("house", who, odds[spot] * amount)
        self.bets, self.phase = {}, "open"
        return True
