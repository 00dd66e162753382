/* Messages: payloads to structs and back. The fields come from tirage_protocol.h, the code is by hand. */
#ifndef TIRAGE_CODEC_H
#define TIRAGE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "tirage_protocol.h"

#define FIELD_U8(name) uint8_t name;
#define FIELD_U16(name) uint16_t name;
#define FIELD_U32(name) uint32_t name;
#define FIELD_BYTES(name, size) uint8_t name[size];
#define FIELD_ENUM(name, kind) uint8_t name;

/* struct tirage_NAME, and for each: the size of its payload or 0 if a value is not one of the schema's. */
#define DECLARE(name, id, size, from_host)                                                                    \
    struct tirage_##name {                                                                                    \
        TIRAGE_FIELDS_##name(FIELD_U8, FIELD_U16, FIELD_U32, FIELD_BYTES, FIELD_U8, FIELD_U8, FIELD_ENUM)     \
    };                                                                                                        \
    size_t tirage_pack_##name(const struct tirage_##name *message, uint8_t *out);                             \
    size_t tirage_unpack_##name(struct tirage_##name *message, const uint8_t *in, size_t in_size);
TIRAGE_MESSAGES(DECLARE)
#undef DECLARE

/* 1 if the byte is the face of a card. */
int tirage_is_card(uint8_t byte);

#endif
