#include "frame.h"

#include <string.h>

#include "bytes.h"
#include "crypto.h"

enum { AT_LENGTH = 1, AT_VERSION = 2, AT_TYPE = 3, AT_SESSION = 4, AT_COUNTER = 6, AT_CARD = 10, AT_MS = 12 };

uint32_t frame_crc(const uint8_t *data, size_t size)
{
    /* The polynomial of zlib, reflected, four bits at a time: a table of 64 bytes fits any board. */
    static const uint32_t step[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        crc = step[crc & 15u] ^ (crc >> 4);
        crc = step[crc & 15u] ^ (crc >> 4);
    }
    return crc ^ 0xFFFFFFFFu;
}

static size_t write_header(const struct frame *frame, uint8_t flags, uint8_t *out)
{
    out[0] = TIRAGE_START;
    out[AT_LENGTH] = frame->length;
    out[AT_VERSION] = (uint8_t)((unsigned)frame->version << 4 | flags);
    out[AT_TYPE] = frame->type;
    put_u16(out + AT_SESSION, frame->session);
    put_u32(out + AT_COUNTER, frame->counter);
    put_u16(out + AT_CARD, frame->card);
    put_u32(out + AT_MS, frame->ms);
    memcpy(out + TIRAGE_HEADER_BYTES, frame->payload, frame->length);
    return TIRAGE_HEADER_BYTES + (size_t)frame->length;
}

size_t frame_write(const struct frame *frame, const uint8_t *key, uint8_t out[FRAME_MAX_BYTES])
{
    const uint8_t flags = (uint8_t)((frame->flags & ~TIRAGE_FLAG_TAGGED) | (key ? TIRAGE_FLAG_TAGGED : 0u));
    size_t size = write_header(frame, flags, out);
    if (key) {
        uint8_t whole[CRYPTO_HASH_BYTES];
        crypto_hmac_sha256(whole, key, FRAME_KEY_BYTES, out + 1, size - 1);
        memcpy(out + size, whole, TIRAGE_TAG_BYTES);
        size += TIRAGE_TAG_BYTES;
    }
    put_u32(out + size, frame_crc(out + 1, size - 1));
    return size + TIRAGE_CRC_BYTES;
}

int frame_proved(const struct frame *frame, const uint8_t key[FRAME_KEY_BYTES])
{
    uint8_t bytes[FRAME_MAX_BYTES];
    uint8_t whole[CRYPTO_HASH_BYTES];
    if (!(frame->flags & TIRAGE_FLAG_TAGGED)) {
        return 0;
    }
    const size_t size = write_header(frame, frame->flags, bytes);
    crypto_hmac_sha256(whole, key, FRAME_KEY_BYTES, bytes + 1, size - 1);
    return crypto_equal(whole, frame->tag, TIRAGE_TAG_BYTES);
}

void frame_reader_reset(struct frame_reader *reader) { memset(reader, 0, sizeof *reader); }

void frame_reader_put(struct frame_reader *reader, uint8_t byte)
{
    if (reader->used < sizeof reader->bytes) {
        reader->bytes[reader->used++] = byte;
    }
}

static void drop(struct frame_reader *reader, size_t count)
{
    reader->used -= count;
    memmove(reader->bytes, reader->bytes + count, reader->used);
}

void frame_reader_give_up(struct frame_reader *reader)
{
    if (reader->used > 0) {
        reader->noise_bytes++;
        drop(reader, 1);
    }
}

/* The size of the frame that begins the buffer: 0 if more bytes are needed to know, -1 if none begins there. */
static int frame_size(const struct frame_reader *reader)
{
    if (reader->bytes[0] != TIRAGE_START) {
        return -1;
    }
    if (reader->used <= AT_VERSION) {
        return 0;
    }
    if (reader->bytes[AT_LENGTH] > TIRAGE_MAX_PAYLOAD_BYTES) {
        return -1;
    }
    const unsigned tag = reader->bytes[AT_VERSION] & TIRAGE_FLAG_TAGGED ? TIRAGE_TAG_BYTES : 0u;
    return (int)(TIRAGE_HEADER_BYTES + reader->bytes[AT_LENGTH] + tag + TIRAGE_CRC_BYTES);
}

static void read_frame(const uint8_t *raw, struct frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->length = raw[AT_LENGTH];
    frame->version = raw[AT_VERSION] >> 4;
    frame->flags = raw[AT_VERSION] & 15u;
    frame->type = raw[AT_TYPE];
    frame->session = get_u16(raw + AT_SESSION);
    frame->counter = get_u32(raw + AT_COUNTER);
    frame->card = get_u16(raw + AT_CARD);
    frame->ms = get_u32(raw + AT_MS);
    memcpy(frame->payload, raw + TIRAGE_HEADER_BYTES, frame->length);
    if (frame->flags & TIRAGE_FLAG_TAGGED) {
        memcpy(frame->tag, raw + TIRAGE_HEADER_BYTES + frame->length, TIRAGE_TAG_BYTES);
    }
}

int frame_reader_next(struct frame_reader *reader, struct frame *frame)
{
    while (reader->used > 0) {
        const int size = frame_size(reader);
        if (size == 0 || (size > 0 && reader->used < (size_t)size)) {
            return 0;
        }
        if (size < 0) {
            reader->noise_bytes++;
            drop(reader, 1);
            continue;
        }
        const size_t crc_at = (size_t)size - TIRAGE_CRC_BYTES;
        if (frame_crc(reader->bytes + 1, crc_at - 1) == get_u32(reader->bytes + crc_at)) {
            read_frame(reader->bytes, frame);
            drop(reader, (size_t)size);
            return 1;
        }
        reader->bad_frames++;
        drop(reader, 1); /* a good frame may begin inside the bad one */
    }
    return 0;
}
