/* What the protocol needs of cryptography. A board supplies its own; crypto_sodium.c does it by libsodium. */
#ifndef TIRAGE_CRYPTO_H
#define TIRAGE_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#define CRYPTO_HASH_BYTES 32u

/* Call once before anything else; 0 when all is well. */
int crypto_begin(void);
void crypto_random(uint8_t *out, size_t size);
void crypto_sha256(uint8_t out[CRYPTO_HASH_BYTES], const uint8_t *data, size_t size);
void crypto_hmac_sha256(uint8_t out[CRYPTO_HASH_BYTES], const uint8_t *key, size_t key_size,
                        const uint8_t *data, size_t size);
/* 1 if equal, in a time that does not depend on where they differ. */
int crypto_equal(const uint8_t *a, const uint8_t *b, size_t size);
void crypto_wipe(void *data, size_t size);

#endif
