#include "link.h"

#include <string.h>

#include "bytes.h"
#include "crypto.h"

/* HKDF-SHA-256 (RFC 5869) with one block of output a direction. */
static void derive(struct link *link, const uint8_t *key, const uint8_t nonces[2 * NONCE_BYTES],
                   const uint8_t device[DEVICE_BYTES], uint8_t wanted)
{
    uint8_t secret[CRYPTO_HASH_BYTES];
    uint8_t info[] = "tirage\0\0\0........S\1";
    const size_t size = sizeof info - 1;
    info[6] = TIRAGE_VERSION;
    info[7] = wanted;
    info[8] = TIRAGE_LEVEL_AUTHENTIC;
    memcpy(info + 9, device, DEVICE_BYTES);
    crypto_hmac_sha256(secret, nonces, 2 * NONCE_BYTES, key, FRAME_KEY_BYTES);
    crypto_hmac_sha256(link->from_shoe, secret, sizeof secret, info, size);
    info[9 + DEVICE_BYTES] = 'H';
    crypto_hmac_sha256(link->from_host, secret, sizeof secret, info, size);
    crypto_wipe(secret, sizeof secret);
}

void link_begin(struct link *link, const uint8_t *key, const uint8_t host_nonce[NONCE_BYTES],
                const uint8_t shoe_nonce[NONCE_BYTES], const uint8_t device[DEVICE_BYTES], uint8_t wanted)
{
    uint8_t nonces[2 * NONCE_BYTES];
    uint8_t hash[CRYPTO_HASH_BYTES];
    memcpy(nonces, host_nonce, NONCE_BYTES);
    memcpy(nonces + NONCE_BYTES, shoe_nonce, NONCE_BYTES);
    crypto_sha256(hash, nonces, sizeof nonces);
    link_end(link);
    link->state = LINK_GREETED;
    link->number = get_u16(hash);
    if (key) {
        link->level = TIRAGE_LEVEL_AUTHENTIC;
        derive(link, key, nonces, device, wanted);
    }
}

void link_end(struct link *link)
{
    crypto_wipe(link, sizeof *link);
    link->state = LINK_CLOSED;
}

enum link_check link_check(struct link *link, const struct frame *frame)
{
    if (link->state == LINK_CLOSED || frame->session != link->number) {
        return LINK_STALE;
    }
    const int tagged = (frame->flags & TIRAGE_FLAG_TAGGED) != 0;
    if (link->level == TIRAGE_LEVEL_PLAIN ? tagged : !frame_proved(frame, link->from_host)) {
        link->forged++;
        return LINK_FORGED;
    }
    if (frame->counter <= link->heard) {
        return LINK_REPEATED;
    }
    link->heard = frame->counter;
    return LINK_FRESH;
}

size_t link_write(struct link *link, struct frame *frame, uint8_t out[FRAME_MAX_BYTES])
{
    frame->version = TIRAGE_VERSION;
    frame->session = link->number;
    frame->counter = link->sent++;
    return frame_write(frame, link->level == TIRAGE_LEVEL_PLAIN ? NULL : link->from_shoe, out);
}
