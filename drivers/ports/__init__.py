"""Ports: bytes in, opened and lost; live devices and captures of them."""

from drivers.ports.addresses import PORTS, MisspeltPortError, PortAddress, PortKind, link_to, port_address
from drivers.ports.capture import CaptureError, Chunk, Format, TornLineError, read_capture, sniff
from drivers.ports.events import Port, PortBytes, PortEvent, PortLost, PortLostError, PortOpened
from drivers.ports.rawline import HEADER, RawLine, format_line, parse_line
from drivers.ports.reopening import Link, serial_link

__all__ = [
    "HEADER",
    "PORTS",
    "CaptureError",
    "Chunk",
    "Format",
    "Link",
    "MisspeltPortError",
    "Port",
    "PortAddress",
    "PortBytes",
    "PortEvent",
    "PortKind",
    "PortLost",
    "PortLostError",
    "PortOpened",
    "RawLine",
    "TornLineError",
    "format_line",
    "link_to",
    "parse_line",
    "port_address",
    "read_capture",
    "serial_link",
    "sniff",
]
