/* Frames: bytes to frames and back. SPEC.md, section 2. */
#ifndef TIRAGE_FRAME_H
#define TIRAGE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "tirage_protocol.h"

#define FRAME_MAX_BYTES (TIRAGE_HEADER_BYTES + TIRAGE_MAX_PAYLOAD_BYTES + TIRAGE_TAG_BYTES + TIRAGE_CRC_BYTES)
#define FRAME_KEY_BYTES 32u

struct frame {
    uint8_t version;
    uint8_t flags;
    uint8_t type;
    uint8_t length; /* of the payload */
    uint16_t session;
    uint16_t card;
    uint32_t counter;
    uint32_t ms;
    uint8_t payload[TIRAGE_MAX_PAYLOAD_BYTES];
    uint8_t tag[TIRAGE_TAG_BYTES]; /* only with the flag */
};

/* Bytes that are not a frame yet; never more than one frame's worth. */
struct frame_reader {
    uint8_t bytes[FRAME_MAX_BYTES];
    size_t used;
    uint32_t noise_bytes;
    uint32_t bad_frames;
};

uint32_t frame_crc(const uint8_t *data, size_t size);
/* Write a frame and return its size. With a key the tag is made and the flag set; without one `tag` is not written. */
size_t frame_write(const struct frame *frame, const uint8_t *key, uint8_t out[FRAME_MAX_BYTES]);
/* 1 if the frame has a tag and it is made with this key. */
int frame_proved(const struct frame *frame, const uint8_t key[FRAME_KEY_BYTES]);

void frame_reader_reset(struct frame_reader *reader);
/* Add one byte. Call frame_reader_next until it returns 0 before adding another. */
void frame_reader_put(struct frame_reader *reader, uint8_t byte);
int frame_reader_next(struct frame_reader *reader, struct frame *frame);
/* No more bytes come: what begins the buffer is no frame. Then call frame_reader_next as after a byte. */
void frame_reader_give_up(struct frame_reader *reader);

#endif
