/* What a board gives to the shoe. Nothing below this line knows a register or a system call. */
#ifndef SHOE_PORT_H
#define SHOE_PORT_H

#include <stddef.h>
#include <stdint.h>

struct shoe_port {
    void *context;
    /* Milliseconds since the start; may wrap. */
    uint32_t (*milliseconds)(void *context);
    /* Bytes that the line takes now without waiting, and a whole frame that fits. */
    size_t (*room)(void *context);
    void (*send)(void *context, const uint8_t *data, size_t size);
    /* Non-volatile memory: two slots, each written whole. 0 when done. */
    int (*load)(void *context, unsigned slot, uint8_t *data, size_t size);
    int (*save)(void *context, unsigned slot, const uint8_t *data, size_t size);
    void (*lock)(void *context, int locked);
    void (*lamp)(void *context, uint8_t light);
    void (*tone)(void *context, uint16_t hertz, uint16_t milliseconds);
};

#endif
