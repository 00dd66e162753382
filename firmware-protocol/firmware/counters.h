/* What a shoe must not forget without power. */
#ifndef SHOE_COUNTERS_H
#define SHOE_COUNTERS_H

#include <stdint.h>

#include "port.h"

#define COUNTERS_BYTES 20u

struct counters {
    uint32_t writes; /* the slot with more writes is the newer one */
    uint32_t boots;
    uint32_t event; /* number of the last event */
    uint16_t card;  /* cards that have left this shoe */
};

/* Read the newer slot that is whole; all zero if none is. */
void counters_load(struct counters *counters, const struct shoe_port *port);
/* Write the older slot, so that a power cut leaves the newer one. 0 when done. */
int counters_save(struct counters *counters, const struct shoe_port *port);

#endif
