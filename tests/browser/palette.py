"""Pictures of the documents as small files: at most 256 colours, chosen by halving the fullest box of them."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode

from playwright.sync_api import Page

# The browser has the pixels at hand; Python would take seconds a picture. A colour is met as often as its pixels.
INDEXED = """async ([png, most]) => {
    const bytes = Uint8Array.from(atob(png), it => it.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
    const {width, height} = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    const counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    const channel = (colour, at) => (colour >>> (8 * at)) & 255;
    function box(colours) {
        const spans = [0, 1, 2].map(at => {
            const values = colours.map(it => channel(it, at));
            return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
        });
        const at = spans.indexOf(Math.max(...spans));
        const weight = Math.sqrt(colours.reduce((sum, it) => sum + counts.get(it), 0));
        return {colours, at, need: spans[at] * weight};
    }
    const boxes = [box([...counts.keys()])];
    while (boxes.length < most) {
        const fullest = boxes.reduce((a, b) => (b.need > a.need ? b : a));
        if (!fullest.need) break;
        const sorted = fullest.colours.sort((a, b) => channel(a, fullest.at) - channel(b, fullest.at));
        const low = channel(sorted[0], fullest.at), high = channel(sorted.at(-1), fullest.at);
        const cut = sorted.findIndex(it => channel(it, fullest.at) > (low + high) / 2);
        boxes.splice(boxes.indexOf(fullest), 1, box(sorted.slice(0, cut)), box(sorted.slice(cut)));
    }
    const index = new Map();
    const palette = boxes.map(({colours}, place) => {
        const all = colours.reduce((sum, it) => sum + counts.get(it), 0);
        for (const it of colours) index.set(it, place);
        const mean = at => colours.reduce((sum, it) => sum + channel(it, at) * counts.get(it), 0) / all;
        return [0, 1, 2].map(at => Math.round(mean(at)));
    });
    const rows = Uint8Array.from(pixels, it => index.get(it));
    let text = '';
    for (let at = 0; at < rows.length; at += 8192) text += String.fromCharCode(...rows.subarray(at, at + 8192));
    return {width, height, palette, rows: btoa(text)};
}"""
MOST_COLOURS = 256
SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE = 3  # the colour type of PNG


def small(page: Page, png: bytes) -> bytes:
    """Return a picture as PNG with a palette."""
    made = page.evaluate(INDEXED, [b64encode(png).decode(), MOST_COLOURS])
    width, rows = made["width"], b64decode(made["rows"])
    lines = b"".join(b"\0" + rows[at : at + width] for at in range(0, len(rows), width))
    header = struct.pack(">IIBBBBB", width, made["height"], 8, PALETTE, 0, 0, 0)
    colours = bytes(value for colour in made["palette"] for value in colour)
    parts = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
