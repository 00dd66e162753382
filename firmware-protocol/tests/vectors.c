/* Reads and writes vectors, one line in, one line out, so that any language's test can ask.
 *
 * decode HEX                                            -> version flags type session counter card ms NAME field=value ...
 *                                                          or `no frame`, or `no message` for a payload that is none
 * encode NAME flags session counter card ms KEY|- field=value ... -> HEX
 * derive KEY HOSTNONCE SHOENONCE DEVICE WANTED          -> session from_shoe from_host
 * proved KEY HEX                                        -> yes or no */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "crypto.h"
#include "frame.h"
#include "link.h"

enum { LINE_BYTES = 4096, WORDS = 40 };

static size_t from_hex(const char *text, uint8_t *out, size_t most)
{
    size_t size = 0;
    while (size < most && text[2 * size] && text[2 * size + 1]) {
        const char digits[3] = {text[2 * size], text[2 * size + 1], 0};
        out[size++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return size;
}

static void print_hex(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        printf("%02x", (unsigned)data[i]);
    }
}

static const char *value_of(char *const *words, const char *name)
{
    const size_t length = strlen(name);
    for (; *words; words++) {
        if (!strncmp(*words, name, length) && (*words)[length] == '=') {
            return *words + length + 1;
        }
    }
    return "";
}

#define PRINT_NUMBER(name) printf(" " #name "=%lu", (unsigned long)message.name);
#define PRINT_BYTES(name, size) printf(" " #name "="); print_hex(message.name, size);
#define PRINT_ENUM(name, kind) PRINT_NUMBER(name)

#define READ_U8(name) message.name = (uint8_t)strtoul(value_of(words, #name), NULL, 10);
#define READ_U16(name) message.name = (uint16_t)strtoul(value_of(words, #name), NULL, 10);
#define READ_U32(name) message.name = (uint32_t)strtoul(value_of(words, #name), NULL, 10);
#define READ_BYTES(name, size) (void)from_hex(value_of(words, #name), message.name, size);
#define READ_ENUM(name, kind) READ_U8(name)

#define FUNCTIONS(name, id, size, from_host)                                                                  \
    static int print_##name(const struct frame *frame)                                                        \
    {                                                                                                         \
        struct tirage_##name message;                                                                         \
        if (!tirage_unpack_##name(&message, frame->payload, frame->length)) {                                 \
            return 0;                                                                                         \
        }                                                                                                     \
        printf(" %s", #name);                                                                                 \
        TIRAGE_FIELDS_##name(PRINT_NUMBER, PRINT_NUMBER, PRINT_NUMBER, PRINT_BYTES, PRINT_NUMBER,             \
                             PRINT_NUMBER, PRINT_ENUM)                                                        \
        return 1;                                                                                             \
    }                                                                                                         \
    static size_t read_##name(char *const *words, uint8_t *out)                                               \
    {                                                                                                         \
        struct tirage_##name message;                                                                         \
        memset(&message, 0, sizeof message);                                                                  \
        TIRAGE_FIELDS_##name(READ_U8, READ_U16, READ_U32, READ_BYTES, READ_U8, READ_U8, READ_ENUM)            \
        return tirage_pack_##name(&message, out);                                                             \
    }
TIRAGE_MESSAGES(FUNCTIONS)

static int print_message(const struct frame *frame)
{
    switch (frame->type) {
#define CASE(name, id, size, from_host) case id: return print_##name(frame);
        TIRAGE_MESSAGES(CASE)
#undef CASE
#define CASE(name, id, size, from_host) case id: printf(" %s", #name); return frame->length == 0;
        TIRAGE_BARE_MESSAGES(CASE)
#undef CASE
    default: return 0;
    }
}

static void decode(const char *hex)
{
    uint8_t raw[2 * FRAME_MAX_BYTES];
    struct frame_reader reader;
    struct frame frame;
    const size_t size = from_hex(hex, raw, sizeof raw);
    frame_reader_reset(&reader);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&reader, raw[i]);
        if (frame_reader_next(&reader, &frame)) {
            printf("%u %u %u %u %lu %u %lu", (unsigned)frame.version, (unsigned)frame.flags, (unsigned)frame.type,
                   (unsigned)frame.session, (unsigned long)frame.counter, (unsigned)frame.card,
                   (unsigned long)frame.ms);
            printf("%s\n", print_message(&frame) ? "" : " no message");
            return;
        }
    }
    printf("no frame\n");
}

static void encode(char *const *words)
{
    struct frame frame;
    uint8_t key[FRAME_KEY_BYTES];
    uint8_t out[FRAME_MAX_BYTES];
    memset(&frame, 0, sizeof frame);
    frame.version = TIRAGE_VERSION;
    frame.flags = (uint8_t)strtoul(words[2], NULL, 10);
    frame.session = (uint16_t)strtoul(words[3], NULL, 10);
    frame.counter = (uint32_t)strtoul(words[4], NULL, 10);
    frame.card = (uint16_t)strtoul(words[5], NULL, 10);
    frame.ms = (uint32_t)strtoul(words[6], NULL, 10);
#define TRY(name, id, size, from_host)                                                                        \
    if (!strcmp(words[1], #name)) {                                                                           \
        frame.type = id;                                                                                      \
        frame.length = (uint8_t)read_##name(words + 8, frame.payload);                                        \
    }
    TIRAGE_MESSAGES(TRY)
#undef TRY
#define TRY(name, id, size, from_host) if (!strcmp(words[1], #name)) { frame.type = id; }
    TIRAGE_BARE_MESSAGES(TRY)
#undef TRY
    const int keyed = from_hex(words[7], key, sizeof key) == sizeof key;
    print_hex(out, frame_write(&frame, keyed ? key : NULL, out));
    printf("\n");
}

static void derive(char *const *words)
{
    uint8_t key[FRAME_KEY_BYTES], host[NONCE_BYTES], shoe[NONCE_BYTES], device[DEVICE_BYTES];
    struct link link;
    (void)from_hex(words[1], key, sizeof key);
    (void)from_hex(words[2], host, sizeof host);
    (void)from_hex(words[3], shoe, sizeof shoe);
    (void)from_hex(words[4], device, sizeof device);
    link_begin(&link, key, host, shoe, device, (uint8_t)strtoul(words[5], NULL, 10));
    printf("%u ", (unsigned)link.number);
    print_hex(link.from_shoe, sizeof link.from_shoe);
    printf(" ");
    print_hex(link.from_host, sizeof link.from_host);
    printf("\n");
}

static void proved(const char *key_hex, const char *hex)
{
    uint8_t key[FRAME_KEY_BYTES], raw[FRAME_MAX_BYTES];
    struct frame_reader reader;
    struct frame frame;
    const size_t size = from_hex(hex, raw, sizeof raw);
    (void)from_hex(key_hex, key, sizeof key);
    frame_reader_reset(&reader);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&reader, raw[i]);
    }
    printf("%s\n", frame_reader_next(&reader, &frame) && frame_proved(&frame, key) ? "yes" : "no");
}

int main(void)
{
    static char line[LINE_BYTES];
    if (crypto_begin() != 0) {
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, stdin)) {
        static char nothing[] = "";
        char *words[WORDS];
        char *rest = NULL;
        size_t count = 0;
        for (char *next = strtok_r(line, " \n", &rest); next && count < WORDS - 1; next = strtok_r(NULL, " \n", &rest)) {
            words[count++] = next;
        }
        words[count] = NULL;
        for (size_t i = count + 1; i < WORDS; i++) {
            words[i] = nothing;
        }
        if (count >= 2 && !strcmp(words[0], "decode")) {
            decode(words[1]);
        } else if (count >= 8 && !strcmp(words[0], "encode")) {
            encode(words);
        } else if (count >= 6 && !strcmp(words[0], "derive")) {
            derive(words);
        } else if (count >= 3 && !strcmp(words[0], "proved")) {
            proved(words[1], words[2]);
        } else {
            printf("?\n");
        }
    }
    return EXIT_SUCCESS;
}
