"""A worked evening is played: its script at the real daemon, and the words of the console after each moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.browser.old_games import DEADLINE_MS, Croupier, seated
from tests.rules.evenings import Coup, Evening, Moment, Part, Played, Seen, pictures

# What a person reads in a place: hidden things and keys left out, a picture's own name where it has one.
SAYS = """() => {
    const SUITS = {spades: '♠', hearts: '♥', diamonds: '♦', clubs: '♣'};
    function words(node) {
        if (node.nodeType === Node.TEXT_NODE) return node.data;
        if (node.hidden || node.ariaHidden === 'true' || node.tagName === 'KBD') return ' ';
        if (node.tagName === 'svg') return SUITS[node.ariaLabel] ?? node.ariaLabel ?? ' ';
        return [...node.childNodes].map(words).join(node.matches?.('.lying-card') ? '' : ' ');
    }
    const read = node => node ? words(node).replace(/\\s+/g, ' ').replace(/ ;/g, ';').trim() : '';
    const all = (selector, root = document) => [...(root?.querySelectorAll(selector) ?? [])];
    const texts = (selector, root) => all(selector, root).map(read).filter(text => text);
    const open = document.querySelector('dialog[open]');
    return {
        prompt: [...texts('.prompt .say'), ...texts('.prompt .why')],
        wrong: texts('.wrong .sentence'),
        bank: all('.bank-line dl > div').map(it => texts('dt, dd', it).join(' ')),
        result: [texts('[data-part=result] .which')[0] ?? '', ...texts('[data-part=result] .outcome b'),
            ...texts('[data-part=result] .score'), ...texts('[data-part=result] .tag')],
        asked: open ? {
            title: texts('h2', open)[0], said: texts('.said li', open), asks: texts('.asks', open),
            fields: all('label[data-field]', open).filter(it => !it.hidden)
                .map(it => `${it.firstChild.data.trim()}: ${it.querySelector('input').value}`),
            found: all('.preview .found, .preview .fine', open).map(read),
            seats: all('.would-seat:not(.move), .would .outcome, .would .stays, .ruled-seat', open).map(read),
            effects: all('.effects > div', open).map(it => {
                const moves = texts('.move', it);
                const told = moves.length ? moves.join(', ') : read(it.querySelector('dd'));
                return `${read(it.querySelector('dt'))}: ${told}`;
            }),
        } : null,
    };
}"""
TRYING = "dialog[open] .preview:not([hidden])"


def played(folder: Path, evening: Evening, look: Callable, check: Callable[[int, Croupier], None]) -> Played:
    """Play all parts, each at a table of its own; ``check`` looks at the table after the last coup of a part."""
    shots = pictures(evening)
    first, told = 1, []
    for nth, part in enumerate(evening.parts):
        with seated(folder / str(nth), part.profile, look, part.changes) as croupier:
            told.append(Telling(croupier, shots, first).part(part))
            check(nth, croupier)
        first += len(part.coups)
    return told


class Telling:
    """Plays the coups of a table and notes what the console says; ``number`` is that of the next coup in the page."""

    def __init__(self, croupier: Croupier, shots: dict[tuple[int, int], str], number: int) -> None:
        self.croupier, self.shots, self.number = croupier, shots, number
        self.bank: list[str] = []
        self.result = ""

    def part(self, part: Part) -> list[list[Seen]]:
        """Play the coups of a part."""
        return [self._coup(coup) for coup in part.coups]

    def _coup(self, coup: Coup) -> list[Seen]:
        seen = [self._moment(place, moment) for place, moment in enumerate(coup.moments)]
        results = [result for one in seen for result in one.results]
        assert len(results) == len(coup.results), (coup.name, results, [one.says for one in seen])
        for told, expected in zip(results, coup.results, strict=True):
            assert expected in told, coup.name
        self.number += 1
        return seen

    def _moment(self, place: int, moment: Moment) -> Seen:
        before = len(self.croupier.pressed)
        self.croupier.play(moment.plays)
        page = self.croupier.page
        if page.locator(TRYING).count():
            page.wait_for_selector("dialog[open] [data-confirm]:enabled", timeout=DEADLINE_MS)
        self.croupier.follow()
        says = page.evaluate(SAYS)
        new = self._result(says["result"])
        lines = (
            _asked(says["asked"])
            if says["asked"]
            else [_sentence(says["prompt"]), *says["wrong"], *self._bank(says["bank"]), *new]
        )
        self._picture(place)
        return Seen(tuple(self.croupier.pressed[before:]), tuple(filter(None, lines)), tuple(new))

    def _result(self, parts: list[str]) -> list[str]:
        hand, *words = parts
        result = f"{hand}: {', '.join(words)}" if words else ""
        new = [result] if result not in {"", self.result} else []
        self.result = result
        return new

    def _bank(self, parts: list[str]) -> list[str]:
        new = [" · ".join(parts)] if parts and parts != self.bank else []
        self.bank = parts
        return new

    def _picture(self, place: int) -> None:
        name, folder = self.shots.get((self.number, place)), os.environ.get("TIRAGE_EVENINGS")
        if name and folder:
            self.croupier.saved(Path(folder) / "pictures" / name)


def _sentence(prompt: list[str]) -> str:
    say, *why = prompt
    return f"**{say}**{''.join(f' ({one})' for one in why)}"


def _asked(question: dict) -> list[str]:
    said = ", ".join([question["title"], *question["said"]])
    lines = [f"**{said}**", *question["asks"], *question["fields"], *question["found"]]
    lines += ["; ".join(question["seats"]), *question["effects"]]
    return list(dict.fromkeys(lines))
