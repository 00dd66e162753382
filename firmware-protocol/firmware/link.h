/* The shoe's side of a session: keys, counters, tags. SPEC.md, sections 4 and 5. */
#ifndef SHOE_LINK_H
#define SHOE_LINK_H

#include <stdint.h>

#include "frame.h"

#define NONCE_BYTES 16u
#define DEVICE_BYTES 8u

enum link_state { LINK_CLOSED, LINK_GREETED, LINK_RUNNING };
enum link_check { LINK_FRESH, LINK_STALE, LINK_REPEATED, LINK_FORGED };

struct link {
    enum link_state state;
    uint8_t level;
    uint8_t forged;
    uint16_t number;
    uint32_t sent;
    uint32_t heard;
    uint8_t from_shoe[FRAME_KEY_BYTES];
    uint8_t from_host[FRAME_KEY_BYTES];
};

/* Begin a session; `key` is NULL for L0. */
void link_begin(struct link *link, const uint8_t *key, const uint8_t host_nonce[NONCE_BYTES],
                const uint8_t shoe_nonce[NONCE_BYTES], const uint8_t device[DEVICE_BYTES], uint8_t wanted);
void link_end(struct link *link);
/* Judge a frame from the host; a fresh one is counted. */
enum link_check link_check(struct link *link, const struct frame *frame);
/* Complete a frame to the host and write it. */
size_t link_write(struct link *link, struct frame *frame, uint8_t out[FRAME_MAX_BYTES]);

#endif
