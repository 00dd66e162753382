/* The line of a shoe that runs on this computer: a pseudo-terminal with faults. */
#ifndef HOST_LINE_H
#define HOST_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "frame.h"

#define QUEUE_BYTES 16384u

struct line {
    const char *name; /* the symbolic link that stands for the device */
    int master;
    int slave; /* held open so that the terminal outlives its readers */
    uint8_t queue[QUEUE_BYTES];
    size_t queued;
    uint64_t silent_until; /* bytes are thrown away */
    uint64_t stalled_until; /* bytes wait */
    uint64_t plug_at;      /* 0: not by itself */
    uint64_t replug_after_ms;
    long cut_after; /* bytes until the plug is pulled, -1 never */
    unsigned lose, flip, duplicate; /* next frames to spoil */
    int reorder; /* 1: hold the next frame back, 2: one is held */
    uint8_t held[FRAME_MAX_BYTES];
    size_t held_size;
    uint8_t last[FRAME_MAX_BYTES]; /* of this session, for a replay */
    size_t last_size;
};

uint64_t line_now(void); /* milliseconds */
void line_open(struct line *line, const char *name);
void line_plug(struct line *line);
void line_unplug(struct line *line);
void line_send(struct line *line, const uint8_t *frame, size_t size);
void line_raw(struct line *line, const uint8_t *data, size_t size);
size_t line_read(struct line *line, uint8_t *data, size_t size);
/* Write what is queued, let times run out. */
void line_run(struct line *line);

#endif
