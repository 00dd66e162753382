#include "counters.h"

#include <string.h>

#include "bytes.h"
#include "frame.h"

enum { AT_BOOTS = 4, AT_EVENT = 8, AT_CARD = 12, AT_CRC = 16 };

static int read_slot(const struct shoe_port *port, unsigned slot, struct counters *counters)
{
    uint8_t raw[COUNTERS_BYTES];
    if (port->load(port->context, slot, raw, sizeof raw) != 0 || frame_crc(raw, AT_CRC) != get_u32(raw + AT_CRC)) {
        return 0;
    }
    counters->writes = get_u32(raw);
    counters->boots = get_u32(raw + AT_BOOTS);
    counters->event = get_u32(raw + AT_EVENT);
    counters->card = get_u16(raw + AT_CARD);
    return 1;
}

void counters_load(struct counters *counters, const struct shoe_port *port)
{
    memset(counters, 0, sizeof *counters);
    for (unsigned slot = 0; slot < 2; slot++) {
        struct counters found;
        if (read_slot(port, slot, &found) && found.writes >= counters->writes) {
            *counters = found;
        }
    }
}

int counters_save(struct counters *counters, const struct shoe_port *port)
{
    uint8_t raw[COUNTERS_BYTES] = {0};
    counters->writes++;
    put_u32(raw, counters->writes);
    put_u32(raw + AT_BOOTS, counters->boots);
    put_u32(raw + AT_EVENT, counters->event);
    put_u16(raw + AT_CARD, counters->card);
    put_u32(raw + AT_CRC, frame_crc(raw, AT_CRC));
    return port->save(port->context, counters->writes & 1u, raw, sizeof raw);
}
