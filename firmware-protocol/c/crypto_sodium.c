/* crypto.h by libsodium. */
#include "crypto.h"

#include <sodium.h>

int crypto_begin(void) { return sodium_init() < 0 ? -1 : 0; }

void crypto_random(uint8_t *out, size_t size) { randombytes_buf(out, size); }

void crypto_sha256(uint8_t out[CRYPTO_HASH_BYTES], const uint8_t *data, size_t size)
{
    (void)crypto_hash_sha256(out, data, size);
}

void crypto_hmac_sha256(uint8_t out[CRYPTO_HASH_BYTES], const uint8_t *key, size_t key_size,
                        const uint8_t *data, size_t size)
{
    crypto_auth_hmacsha256_state state;
    (void)crypto_auth_hmacsha256_init(&state, key, key_size);
    (void)crypto_auth_hmacsha256_update(&state, data, size);
    (void)crypto_auth_hmacsha256_final(&state, out);
    sodium_memzero(&state, sizeof state);
}

int crypto_equal(const uint8_t *a, const uint8_t *b, size_t size) { return sodium_memcmp(a, b, size) == 0; }

void crypto_wipe(void *data, size_t size) { sodium_memzero(data, size); }
