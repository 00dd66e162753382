/* Lines of a script: what the mechanism sees, and what goes wrong. */
#ifndef HOST_SCRIPT_H
#define HOST_SCRIPT_H

#include "line.h"
#include "shoe.h"

struct bench {
    struct shoe shoe;
    struct shoe_port port;
    struct shoe_identity identity;
    struct line line;
    const char *memory; /* file of the non-volatile memory */
    uint64_t began;
    uint64_t wait_until;
    long drift_ppm;
    int stay; /* go on when the script ends */
};

/* Carry out one line; 0 if it is not understood. */
int script_line(struct bench *bench, char *text);
/* The byte of a card such as 8S or TD, 0 if it is none. */
uint8_t script_card(const char *text);

#endif
