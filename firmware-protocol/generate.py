"""Write all that follows from protocol.toml: typed Python messages, the C header, the tables of SPEC.md.

`generate.py` writes; `generate.py --check` writes nothing and exits 1 if a file is not what would be written.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MESSAGES = HERE.parent / "drivers" / "tirage" / "messages.py"
LAYOUTS = MESSAGES.with_name("layouts.py")
HEADER = HERE / "c" / "tirage_protocol.h"
SPEC = HERE / "SPEC.md"
LOADED_BY = {
    "u8": "B",
    "u16": "H",
    "u32": "I",
    "flag": "B",
    "bytes8": "8s",
    "bytes16": "16s",
    "bytes32": "32s",
    "card": "B",
}
TYPED_AS = {"u8": "int", "u16": "int", "u32": "int", "flag": "bool", "card": "int"}
SIZES = {"B": 1, "H": 2, "I": 4, "8s": 8, "16s": 16, "32s": 32}
DIGEST_BYTES = 8
C_KINDS = "U8, U16, U32, BYTES, FLAG, CARD, ENUM"

Schema = dict[str, Any]


def load(path: Path = HERE / "protocol.toml") -> Schema:
    """Return the schema; raises ValueError if two ids are equal or a payload is too long."""
    schema = tomllib.loads(path.read_text(encoding="utf-8"))
    for members in [*map(enum_members, schema["enums"].values()), schema["messages"]]:
        ids = [member["id"] for member in members.values()]
        if len(set(ids)) < len(ids):
            raise ValueError(f"an id is given twice: {sorted(ids)}")
    for name, message in schema["messages"].items():
        if payload_bytes(message) > schema["protocol"]["max_payload_bytes"]:
            raise ValueError(f"the payload of {name} is too long")
        if is_event(schema, message) and message["fields"][0][:2] != ["event", "u32"]:
            raise ValueError(f"the event {name} must begin with its number")
    return schema


def enum_members(enum: Schema) -> dict[str, Schema]:
    """Return the members without the note of the enum itself."""
    return {name: member for name, member in enum.items() if name != "note"}


def is_event(schema: Schema, message: Schema) -> bool:
    """Tell whether the message is numbered and can be asked for again."""
    return bool(schema["protocol"]["first_event_type"] <= message["id"] < schema["protocol"]["first_private_type"])


def letter(kind: str) -> str:
    """Return the letter of the struct module; an enum is a byte."""
    return LOADED_BY.get(kind, "B")


def payload_bytes(message: Schema) -> int:
    """Return the length of the payload."""
    return sum(SIZES[letter(kind)] for _, kind, _ in message["fields"])


def digest(schema: Schema) -> bytes:
    """Return what both sides compare: ids, fields and enums, without the notes."""
    kept = {
        "version": schema["protocol"]["version"],
        "enums": {name: {k: v["id"] for k, v in enum_members(enum).items()} for name, enum in schema["enums"].items()},
        "messages": {
            name: [m["id"], m["from"], [field[:2] for field in m["fields"]]] for name, m in schema["messages"].items()
        },
    }
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()[:DIGEST_BYTES]


def title(name: str) -> str:
    """Return the name of a class."""
    return "".join(part.capitalize() for part in name.split("_"))


def python(schema: Schema) -> str:
    """Return drivers/tirage/messages.py."""
    constants = (f"{name.upper()} = {value}" for name, value in schema["protocol"].items())
    flags = (f"FLAG_{name.upper()} = {1 << flag['bit']}" for name, flag in schema["flags"].items())
    raw = ", ".join(f"0x{byte:02X}" for byte in digest(schema))
    lines = [
        '"""Messages of the tirage shoe protocol. Generated from protocol.toml by generate.py: do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from enum import IntEnum",
        "from typing import NamedTuple",
        "",
        *constants,
        *flags,
        f"SCHEMA = bytes([{raw}])",
    ]
    for name, enum in schema["enums"].items():
        lines += ["", "", *python_enum(name, enum)]
    for name, message in schema["messages"].items():
        lines += ["", "", *python_message(name, message)]
    names = [title(name) for name in schema["messages"]]
    lines += ["", "", "Message = (", f"    {names[0]}", *(f"    | {name}" for name in names[1:]), ")", ""]
    return "\n".join(lines)


def python_enum(name: str, enum: Schema) -> Iterator[str]:
    """Yield the lines of one enum."""
    yield f"class {title(name)}(IntEnum):"
    yield f'    """{enum["note"].capitalize()}."""'
    yield ""
    for member, entry in enum_members(enum).items():
        yield f"    {member.upper()} = {entry['id']}  # {entry['note']}"


def python_message(name: str, message: Schema) -> Iterator[str]:
    """Yield the lines of one message."""
    yield f"class {title(name)}(NamedTuple):"
    yield f'    """From the {message["from"]}: {message["note"]}."""'
    if message["fields"]:
        yield ""
    for field, kind, note in message["fields"]:
        typed = "bytes" if kind.startswith("bytes") else TYPED_AS.get(kind, title(kind))
        yield f"    {field}: {typed}  # {note}"


def layouts(schema: Schema) -> str:
    """Return drivers/tirage/layouts.py."""
    return "\n".join(python_tables(schema)) + "\n"


def python_tables(schema: Schema) -> Iterator[str]:
    """Yield the tables by which the codec goes."""
    messages = schema["messages"]
    host = ", ".join(f"0x{message['id']:02X}" for message in messages.values() if message["from"] == "host")
    yield '"""How messages lie in bytes. Generated from protocol.toml by generate.py: do not edit."""'
    yield ""
    yield "from enum import IntEnum"
    yield "from struct import Struct"
    yield ""
    yield "from drivers.tirage.messages import ("
    used = {kind for message in messages.values() for _, kind, _ in message["fields"]} & set(schema["enums"])
    yield from (f"    {name}," for name in sorted([*map(title, [*used, *messages]), "Message"]))
    yield ")"
    yield ""
    yield "TYPES: dict[type[Message], int] = {"
    yield from (f"    {title(name)}: 0x{message['id']:02X}," for name, message in messages.items())
    yield "}"
    yield f"FROM_HOST = frozenset({{{host}}})"
    yield "LAYOUTS: dict[int, tuple[type[Message], Struct]] = {"
    for name, message in messages.items():
        layout = "<" + "".join(letter(kind) for _, kind, _ in message["fields"])
        yield f'    0x{message["id"]:02X}: ({title(name)}, Struct("{layout}")),'
    yield "}"
    yield "# Fields that not every value fits: their place, and the enum, or None for a card, or bool."
    yield "CHECKED: dict[int, tuple[tuple[int, type[IntEnum | bool] | None], ...]] = {"
    for message in messages.values():
        checked = [
            f"({place}, {'None' if kind == 'card' else 'bool' if kind == 'flag' else title(kind)})"
            for place, (_, kind, _) in enumerate(message["fields"])
            if kind in schema["enums"] or kind in ("card", "flag")
        ]
        if checked:
            yield f"    0x{message['id']:02X}: ({', '.join(checked)}{',' if len(checked) == 1 else ''}),"
    yield "}"


def header(schema: Schema) -> str:
    """Return c/tirage_protocol.h."""
    lines = [
        "/* The tirage shoe protocol. Generated from protocol.toml by generate.py: do not edit. */",
        "#ifndef TIRAGE_PROTOCOL_H",
        "#define TIRAGE_PROTOCOL_H",
        "",
        *(f"#define TIRAGE_{name.upper()} {value}u" for name, value in schema["protocol"].items()),
        *(f"#define TIRAGE_FLAG_{name.upper()} {1 << flag['bit']}u" for name, flag in schema["flags"].items()),
        "#define TIRAGE_SCHEMA { " + ", ".join(f"0x{byte:02X}" for byte in digest(schema)) + " }",
    ]
    for name, enum in schema["enums"].items():
        members = enum_members(enum)
        lines += ["", f"/* {enum['note']} */", f"enum tirage_{name} {{"]
        lines += [f"    TIRAGE_{name.upper()}_{k.upper()} = {v['id']}, /* {v['note']} */" for k, v in members.items()]
        lines += ["};", f"#define TIRAGE_IS_{name.upper()}(x) \\"]
        lines += ["    (" + " || ".join(f"(x) == {v['id']}" for v in members.values()) + ")"]
    for macro, bare in (("TIRAGE_MESSAGES", False), ("TIRAGE_BARE_MESSAGES", True)):
        rows = [
            f"    X({name}, 0x{m['id']:02X}, {payload_bytes(m)}, {int(m['from'] == 'host')})"
            for name, m in schema["messages"].items()
            if bare is not bool(m["fields"])
        ]
        lines += [
            "",
            f"/* X(name, id, payload bytes, from the host?) of messages {'without' if bare else 'with'} fields */",
        ]
        lines += [f"#define {macro}(X) \\", " \\\n".join(rows)]
    lines += ["", "enum tirage_type {"]
    lines += [f"    TIRAGE_TYPE_{name.upper()} = 0x{m['id']:02X}," for name, m in schema["messages"].items()]
    lines[-1] = lines[-1].removesuffix(",")
    lines += ["};"]
    for name, message in ((name, m) for name, m in schema["messages"].items() if m["fields"]):
        lines += ["", f"/* {message['note']} */", f"#define TIRAGE_FIELDS_{name}({C_KINDS}) \\"]
        lines += ["    " + " ".join(c_field(field, kind) for field, kind, _ in message["fields"])]
    return "\n".join([*lines, "", "#endif"]) + "\n"


def c_field(field: str, kind: str) -> str:
    """Return one field as a macro call."""
    if kind.startswith("bytes"):
        return f"BYTES({field}, {kind.removeprefix('bytes')})"
    if kind in LOADED_BY:
        return f"{kind.upper()}({field})"
    return f"ENUM({field}, {kind.upper()})"


def tables(schema: Schema) -> dict[str, str]:
    """Return the tables of SPEC.md by the name of their place."""
    constants = [f"| `{name}` | {value} |" for name, value in schema["protocol"].items()]
    flags = [f"| {flag['bit']} | `{name}` | {flag['note']} |" for name, flag in schema["flags"].items()]
    enums, messages = [], []
    for name, enum in schema["enums"].items():
        enums += [f"**{name}**: {enum['note']}.", "", "| id | name | meaning |", "|---|---|---|"]
        enums += [f"| {v['id']} | `{k}` | {v['note']} |" for k, v in enum_members(enum).items()] + [""]
    for name, m in schema["messages"].items():
        messages += [f"#### 0x{m['id']:02X} `{name}`", ""]
        messages += [f"From the {m['from']}: {m['note']}. {payload_bytes(m)} bytes.", "", *field_rows(m)]
    return {
        "constants": "\n".join(["| name | value |", "|---|---|", *constants]),
        "flags": "\n".join(["| bit | name | meaning |", "|---|---|---|", *flags]),
        "enums": "\n".join(enums).rstrip(),
        "messages": "\n".join(messages).rstrip(),
        "digest": f"The digest of this schema is `{digest(schema).hex()}`.",
    }


def field_rows(message: Schema) -> list[str]:
    """Return the byte table of a payload."""
    rows, offset = [], 0
    for field, kind, note in message["fields"]:
        rows.append(f"| {offset} | {SIZES[letter(kind)]} | `{field}` | {kind} | {note} |")
        offset += SIZES[letter(kind)]
    return ["| offset | bytes | field | type | meaning |", "|---|---|---|---|---|", *rows, ""] if rows else []


def spec(schema: Schema, text: str) -> str:
    """Return SPEC.md with its tables renewed; all else stays as written by hand."""
    for name, table in tables(schema).items():
        place = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = place.subn(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
        if found != 1:
            raise ValueError(f"SPEC.md needs one place for {name}")
    return text


def outputs(schema: Schema) -> dict[Path, str]:
    """Return what each file must hold."""
    return {
        MESSAGES: python(schema),
        LAYOUTS: layouts(schema),
        HEADER: header(schema),
        SPEC: spec(schema, SPEC.read_text(encoding="utf-8")),
    }


def main(arguments: list[str]) -> int:
    """Write the files, or with --check say which ones are not what protocol.toml says."""
    wanted = outputs(load())
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            print(f"{path.name} is not what protocol.toml says: run generate.py", file=sys.stderr)
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"wrote {path.name}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
