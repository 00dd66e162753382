"""Words written into templates and scripts, where no catalogue can reach them.

What is reported: (where, text) for each text node and each attribute that people read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment, nodes

READ_ATTRIBUTES = frozenset(
    {"title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "alt", "label"}
)
HOLE = "\0"  # where an expression fills in what the catalogue or a view gives

# What is no language: the product, and names of formats and zones that are the same everywhere.
SAME_EVERYWHERE = frozenset({"tirage", "UTC", "CSV", "JSON"})
# A letter by itself is a card, a suit, a key or a mark of a road.
WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_a-zA-Z]")


def words_in(text: str) -> list[str]:
    """Return the words of a human language in a text.

    >>> words_in("10 K - tirage"), words_in("Lay card 3"), words_in("\u5e84")
    ([], ['Lay', 'card'], ['\u5e84'])
    """
    return [word for word in WORD.findall(text) if word not in SAME_EVERYWHERE]


def in_template(source: str) -> list[tuple[str, str]]:
    """Return what a template says by itself, as (tag or attribute, text)."""
    reader = _Reader()
    reader.feed("".join(_said(Environment(autoescape=False).parse(source))))  # noqa: S701 - read, never rendered
    reader.close()
    return reader.found


def _said(node: nodes.Node) -> Iterator[str]:
    for output in node.find_all(nodes.Output):
        for part in output.nodes:
            yield part.data if isinstance(part, nodes.TemplateData) else "".join(_values(part)) or HOLE


def _values(node: nodes.Node) -> Iterator[str]:
    """Yield the constants that an expression can come out as; what it only compares or looks up is left out."""
    match node:
        case nodes.Const(value=str(value)):
            yield value
        case nodes.CondExpr():
            for way in (node.expr1, node.expr2):
                yield from _values(way) if way is not None else ()
        case nodes.Or() | nodes.And() | nodes.Add():
            yield from (*_values(node.left), *_values(node.right))
        case nodes.Concat():
            for part in node.nodes:
                yield from _values(part)
        case nodes.Filter(name="default" | "d"):
            for given in node.args:
                yield from _values(given)


class _Reader(HTMLParser):
    """Collects the text of a page and of the attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            # A machine's word in data-* has no space in it; what has one is meant for people.
            told = name in READ_ATTRIBUTES or (name.startswith("data-") and " " in (value or "").strip())
            if told and words_in(value or ""):
                self.found.append((name, value or ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside != "style" and words_in(data):
            self.found.append((self.inside, data.strip()))


STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/"  # comments first: an apostrophe there opens nothing
    r"|(?<=[(,=:&|!?\s])/(?![/*\s])(?:\\.|\[[^\]]*\]|[^/\\\n])+/[a-z]*"  # and patterns
    r'|"((?:\\.|[^"\\\n])*)"|\'((?:\\.|[^\'\\\n])*)\'|`((?:\\.|[^`\\])*)`',
    re.DOTALL,
)
# A sentence: two words with a space, or a capital and small letters. Selectors are told by their marks.
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}|^[A-Z][a-z]+[.:!?]?$|(?![\x00-\x7f])[^\W\d_]")
SELECTOR = re.compile(r"[#\[\]>=]|(?:^|[\s,])\.[a-z]|^(?:[a-z0-9]+, )+[a-z0-9]+$")


def in_script(source: str, machine: frozenset[str]) -> list[str]:
    """Return the strings of a script that look like a human language; ``machine`` are known ones that are not.

    >>> in_script('say("Lay the card"); one("dialog[open] button") // it\\'s', frozenset())
    ['Lay the card']
    """
    texts = [re.sub(r"\$\{[^}]*\}", HOLE, "".join(found)) for found in STRING.findall(source)]
    return [
        text for text in texts if SENTENCE.search(text) and not SELECTOR.search(text) and text.strip() not in machine
    ]
