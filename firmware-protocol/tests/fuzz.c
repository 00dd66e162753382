/* Any bytes to the reader, the codec and a shoe in session. With libFuzzer it searches; without, `fuzz COUNT SEED`
 * makes its own inputs, from good frames with bytes changed, cut out and put in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "shoe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t memory[2][COUNTERS_BYTES];
static uint32_t clock_ms;
static struct shoe shoe;

static uint32_t milliseconds(void *context) { (void)context; return clock_ms; }
static size_t room(void *context) { (void)context; return 4096; }
static void send_frame(void *context, const uint8_t *data, size_t size) { (void)context; (void)data; (void)size; }

static int load(void *context, unsigned slot, uint8_t *data, size_t size)
{
    (void)context;
    memcpy(data, memory[slot], size);
    return 0;
}

static int save(void *context, unsigned slot, const uint8_t *data, size_t size)
{
    (void)context;
    memcpy(memory[slot], data, size);
    return 0;
}

static void lock(void *context, int locked) { (void)context; (void)locked; }
static void lamp(void *context, uint8_t light) { (void)context; (void)light; }
static void tone(void *context, uint16_t hertz, uint16_t length) { (void)context; (void)hertz; (void)length; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct shoe_port port = {NULL, milliseconds, room, send_frame, load, save, lock, lamp, tone};
    static const struct shoe_identity identity = {.device = {1}};
    static int begun;
    if (!begun) {
        begun = 1;
        if (crypto_begin() != 0) {
            abort();
        }
        shoe_start(&shoe, &port, &identity);
    }
    for (size_t at = 0; at < size; at += 40) {
        shoe_receive(&shoe, data + at, size - at < 40 ? size - at : 40);
        clock_ms += 7;
        shoe_poll(&shoe);
    }
    if (shoe.reader.used > FRAME_MAX_BYTES || shoe.held > TIRAGE_RING_EVENTS) {
        abort();
    }
    clock_ms += 200;
    shoe_poll(&shoe);
    if (shoe.reader.used != 0) {
        abort(); /* a silent line must not leave half a frame waiting */
    }
    return 0;
}

#ifndef WITH_LIBFUZZER
static uint32_t state;

static uint32_t any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static size_t good_frame(uint8_t *out)
{
    static const uint8_t types[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x41, 0x43, 0x82, 0xC0};
    struct frame frame;
    memset(&frame, 0, sizeof frame);
    frame.version = (uint8_t)(any(20) ? 1 : any(16));
    frame.flags = (uint8_t)(any(10) ? 0 : any(16) & ~TIRAGE_FLAG_TAGGED);
    frame.type = types[any(sizeof types)];
    frame.length = (uint8_t)(frame.type == 0x01 ? 17 : any(8));
    for (unsigned i = 0; i < frame.length; i++) {
        frame.payload[i] = (uint8_t)any(frame.type == 0x01 ? 3 : 256);
    }
    if (frame.type != 0x01 && any(10)) { /* mostly of the session that stands, so that what lies behind it is reached */
        static uint32_t counter;
        frame.session = shoe.link.number;
        frame.counter = shoe.link.heard + any(3) + (counter++ & 1u);
    }
    return frame_write(&frame, NULL, out);
}

static void spoil(uint8_t *data, size_t size)
{
    for (uint32_t changes = any(4); changes > 0; changes--) {
        data[any((uint32_t)size)] = (uint8_t)any(256);
    }
}

int main(int count, char **values)
{
    static uint8_t data[4 * FRAME_MAX_BYTES];
    const unsigned long runs = count > 1 ? strtoul(values[1], NULL, 10) : 100000;
    state = count > 2 ? (uint32_t)strtoul(values[2], NULL, 10) : 1;
    for (unsigned long run = 0; run < runs; run++) {
        size_t size = 0;
        for (uint32_t frames = any(3) + 1; frames > 0; frames--) {
            size += good_frame(data + size);
        }
        spoil(data, size);
        (void)LLVMFuzzerTestOneInput(data, size - any((uint32_t)size / 2));
    }
    printf("%lu inputs\n", runs);
    return 0;
}
#endif
