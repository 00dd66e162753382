"""Make docs/rules.md: every rule, its source, its place in the code, its tests and what the dealer sees.

python -m tests.rules.table [--check]
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

from controller.core.games import GAMES
from controller.core.remedies.situations import SITUATIONS
from controller.moneysettings import BankChoices
from controller.settings import Profile
from tests import made
from tests.made import ROOT, Places, sentences

DATA, DOCUMENT = ROOT / "docs" / "rules.toml", ROOT / "docs" / "rules.md"
KEYS = Profile.model_fields.keys() | {f"bank.{key}" for key in BankChoices.model_fields}  # what a profile chooses
HEAD = """# The rules, one by one

Made by `python -m tests.rules.table` from [rules.toml](rules.toml), the tests, the games' tables in
`controller/core/games` and the catalogue of sentences. Do not write here: a test fails when this page is stale, when a
rule has neither test nor reason, or when a place or a sentence that it names is not there.

Every test that carries a rule's id in its name is one of that rule's; the table names three at most.
"""

NAMED = re.compile(r"(?:^|_)(r_(?:00[0234]|frc|frb|pb)|ir|pbi)((?:_\d\db?(?![0-9a-z]))+)")
NAMED_SWITCH = re.compile(r"(?:^|_)(?=d\d)((?:d\d{1,2}_)+)")
NAMED_DRAW = re.compile(r"(?:^|_)fd((?:_[pb]\d(?![0-9a-z]))+)")
WRITTEN = re.compile(r"\b(R-(?:00[0234]|FRC|FRB|PB)|IR|PBI|FD)-([PB]?\d{1,2}b?)(?:(?:\.\.| to (?:\1-)?)(\d\d))?")
Rules = dict[str, dict[str, Any]]


def ids_in_name(name: str) -> Iterator[str]:
    """Yield the ids that a test is named by.

    >>> list(ids_in_name("test_ir_08_r_000_21_22_a_banker"))
    ['IR-08', 'R-000-21', 'R-000-22']
    """
    for family, numbers in NAMED.findall(name.lower()):
        for number in numbers.strip("_").split("_"):
            yield f"{family.upper().replace('_', '-')}-{number}"
    for letters in NAMED_DRAW.findall(name.lower()):
        yield from (f"FD-{one.upper()}" for one in letters.strip("_").split("_"))
    for switches in NAMED_SWITCH.findall(name.lower()):
        yield from (one.upper() for one in switches.strip("_").split("_"))


def ids_in_text(text: str) -> Iterator[str]:
    """Yield the ids that a text cites, ranges too.

    >>> list(ids_in_text("see R-000-16..18 and FD-B1"))
    ['R-000-16', 'R-000-17', 'R-000-18', 'FD-B1']
    """
    for family, first, last in WRITTEN.findall(text):
        if not last:
            yield f"{family}-{first}"
            continue
        yield from (f"{family}-{number:02d}" for number in range(int(first), int(last) + 1))


def tests_by_id() -> Places:
    """Return the tests named by each id."""
    return made.tests_by_id(lambda test: ids_in_name(test.name))


def places_by_id() -> Places:
    """Return the modules that cite each id."""
    return made.files_by_id(ids_in_text, "controller")


def read() -> tuple[dict[str, Any], Rules]:
    """Return the data file, and its rules by id with the source of their part."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    rules = {
        ident: {"source": part["source"], **rule} for part in data["part"] for ident, rule in part["rules"].items()
    }
    return data, rules


def seen(ident: str, rule: dict[str, Any]) -> list[str]:
    """Return the ids of the sentences that people read of a rule."""
    told = [f"situation.{ident}"] if ident in SITUATIONS else []
    holds = [f"hold.{kind}" for kind in SITUATIONS[ident].kinds] if ident in SITUATIONS else []
    cited = frozenset().union(*(game.rules for game in GAMES.values()))
    return [*told, *rule.get("sees", ()), *holds, *([f"rule.{ident}"] if ident in cited else [])]


def places(ident: str, rule: dict[str, Any], cited: Places) -> list[str]:
    """Return where a rule lives: where the data says, then where its id is written in the core."""
    written = [name for name in cited.get(ident, ()) if name.startswith("controller/core/")]
    return list(dict.fromkeys([*rule.get("where", ()), *written]))


def problems(rules: Rules, tests: Places, cited: Places, said: dict[str, str]) -> list[str]:
    """Return what is wrong with the table, one sentence each."""
    found = [
        f"{ident} has neither a test nor a reason" for ident in rules if not (tests.get(ident) or reason(rules, ident))
    ]
    found += [f"{ident} lives nowhere in the code" for ident, rule in rules.items() if not _lives(ident, rule, cited)]
    for ident, rule in rules.items():
        found += [
            f"{ident} names {name}, which is not there" for name in rule.get("where", ()) if not (ROOT / name).is_file()
        ]
        found += [
            f"{ident} has people read {one}, which the catalogue has not"
            for one in seen(ident, rule)
            if one not in said
        ]
    known = rules.keys() | {f"R-003-{number:02d}" for number in range(1, 10)}  # these repeat R-002-20..29
    found += [
        f"{ident} is chosen by {key}, which no profile has"
        for ident, rule in rules.items()
        for key in rule.get("switch", ())
        if key not in KEYS
    ]
    found += [f"a test is named by {ident}, which is no rule" for ident in tests if ident not in known]
    named = frozenset().union(*(game.rules for game in GAMES.values())) | SITUATIONS.keys()
    return found + [f"{ident} is cited by a game and not in the table" for ident in sorted(named - rules.keys())]


def reason(rules: Rules, ident: str) -> str:
    """Return why no controller acts on a rule, empty where one does."""
    text: str = rules[ident].get("reason", "")
    return text


def _lives(ident: str, rule: dict[str, Any], cited: Places) -> bool:
    return "reason" in rule or bool(places(ident, rule, cited))


def document() -> str:
    """Return docs/rules.md as it should be."""
    data, rules = read()
    tests, cited, said = tests_by_id(), places_by_id(), sentences()
    with_test = sum(bool(tests.get(ident)) for ident in rules)
    lines = [
        HEAD,
        f"{len(rules)} rules: {with_test} with a test of their own, {len(rules) - with_test} with a reason.",
        "",
    ]
    lines += ["## Sources", "", *(f"- **{name}**: {text}." for name, text in data["sources"].items()), ""]
    for part in data["part"]:
        lines += [f"## {part['title']}", "", *([part["note"], ""] if "note" in part else [])]
        lines += [
            "| Rule | What it says | Source | Where it lives | Tests | What people see |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_row(ident, rules[ident], tests, cited, said) for ident in part["rules"]]
        lines.append("")
    return "\n".join(lines)


def _row(ident: str, rule: dict[str, Any], tests: Places, cited: Places, said: dict[str, str]) -> str:
    keys = [f"key `{key}`" for key in rule.get("switch", ())]
    where = "<br>".join(filter(None, [*keys, made.code(places(ident, rule, cited))]))
    texts = "<br>".join(dict.fromkeys(said[one] for one in seen(ident, rule)))
    reason = f"Not acted on. {rule['reason']}" if "reason" in rule else ""
    proof = "<br>".join(filter(None, (reason, made.proof(tests.get(ident, [])))))
    return made.row(ident, rule["text"], rule["source"], where, proof, texts)


def main(arguments: list[str]) -> int:
    """Write the table, or say what is wrong with it."""
    wrong = problems(read()[1], tests_by_id(), places_by_id(), sentences())
    return made.keep(DOCUMENT, "" if wrong else document(), arguments, wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
