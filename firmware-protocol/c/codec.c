#include "codec.h"

#include <string.h>

#include "bytes.h"

int tirage_is_card(uint8_t byte)
{
    const unsigned suit = byte >> 4;
    const unsigned rank = byte & 15u;
    return TIRAGE_IS_SUIT(suit) && rank >= 1 && rank <= 13;
}

#define PACK_U8(name) *at++ = message->name;
#define PACK_U16(name) put_u16(at, message->name); at += 2;
#define PACK_U32(name) put_u32(at, message->name); at += 4;
#define PACK_BYTES(name, size) memcpy(at, message->name, size); at += (size);
#define PACK_ENUM(name, kind) *at++ = message->name;

#define UNPACK_U8(name) message->name = *at++;
#define UNPACK_U16(name) message->name = get_u16(at); at += 2;
#define UNPACK_U32(name) message->name = get_u32(at); at += 4;
#define UNPACK_BYTES(name, size) memcpy(message->name, at, size); at += (size);
#define UNPACK_ENUM(name, kind) message->name = *at++;

#define CHECK_NONE(name)
#define CHECK_BYTES(name, size)
#define CHECK_FLAG(name) && message->name <= 1
#define CHECK_CARD(name) && tirage_is_card(message->name)
#define CHECK_ENUM(name, kind) && (TIRAGE_IS_##kind(message->name))

#define DEFINE(name, id, size, from_host)                                                                     \
    static int fits_##name(const struct tirage_##name *message)                                               \
    {                                                                                                         \
        return message != NULL TIRAGE_FIELDS_##name(CHECK_NONE, CHECK_NONE, CHECK_NONE, CHECK_BYTES,          \
                                                    CHECK_FLAG, CHECK_CARD, CHECK_ENUM);                      \
    }                                                                                                         \
    size_t tirage_pack_##name(const struct tirage_##name *message, uint8_t *out)                              \
    {                                                                                                         \
        uint8_t *at = out;                                                                                    \
        if (!fits_##name(message)) {                                                                          \
            return 0;                                                                                         \
        }                                                                                                     \
        TIRAGE_FIELDS_##name(PACK_U8, PACK_U16, PACK_U32, PACK_BYTES, PACK_U8, PACK_U8, PACK_ENUM)            \
        return (size_t)(at - out);                                                                            \
    }                                                                                                         \
    size_t tirage_unpack_##name(struct tirage_##name *message, const uint8_t *in, size_t in_size)             \
    {                                                                                                         \
        const uint8_t *at = in;                                                                               \
        if (in_size != (size)) {                                                                              \
            return 0;                                                                                         \
        }                                                                                                     \
        TIRAGE_FIELDS_##name(UNPACK_U8, UNPACK_U16, UNPACK_U32, UNPACK_BYTES, UNPACK_U8, UNPACK_U8,           \
                             UNPACK_ENUM)                                                                     \
        return fits_##name(message) ? (size_t)(at - in) : 0;                                                  \
    }
TIRAGE_MESSAGES(DEFINE)
