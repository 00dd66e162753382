#define _GNU_SOURCE
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

uint64_t line_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

void line_open(struct line *line, const char *name)
{
    memset(line, 0, sizeof *line);
    line->name = name;
    line->master = line->slave = -1;
    line->cut_after = -1;
}

void line_plug(struct line *line)
{
    char next[4096];
    struct termios mode;
    if (line->master >= 0) {
        return;
    }
    line->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (line->master < 0 || grantpt(line->master) != 0 || unlockpt(line->master) != 0) {
        fail("pseudo-terminal");
    }
    const char *device = ptsname(line->master);
    line->slave = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (line->slave < 0 || tcgetattr(line->slave, &mode) != 0) {
        fail(device);
    }
    cfmakeraw(&mode);
    if (tcsetattr(line->slave, TCSANOW, &mode) != 0 || fcntl(line->master, F_SETFL, O_NONBLOCK) != 0) {
        fail(device);
    }
    line->plug_at = 0;
    line->queued = 0;
    (void)snprintf(next, sizeof next, "%s.next", line->name);
    (void)unlink(next);
    if (symlink(device, next) != 0 || rename(next, line->name) != 0) {
        fail(line->name);
    }
}

void line_unplug(struct line *line)
{
    if (line->master >= 0) {
        (void)unlink(line->name);
        (void)close(line->slave);
        (void)close(line->master);
    }
    line->master = line->slave = -1;
    line->queued = 0;
    line->cut_after = -1;
}

static void write_out(struct line *line)
{
    size_t size = line->queued;
    if (line->cut_after >= 0 && size > (size_t)line->cut_after) {
        size = (size_t)line->cut_after;
    }
    const ssize_t written = size > 0 ? write(line->master, line->queue, size) : 0;
    if (written < 0) {
        return; /* full, or nobody reads: the bytes wait */
    }
    line->queued -= (size_t)written;
    memmove(line->queue, line->queue + written, line->queued);
    if (line->cut_after >= 0) {
        line->cut_after -= written;
        if (line->cut_after == 0 && line->queued > 0) {
            line_unplug(line);
            line->plug_at = line_now() + line->replug_after_ms;
        }
    }
}

void line_run(struct line *line)
{
    const uint64_t now = line_now();
    if (line->plug_at && now >= line->plug_at) {
        line_plug(line);
        printf("plugged\n");
        (void)fflush(stdout);
    }
    if (line->master >= 0 && line->queued > 0 && now >= line->stalled_until) {
        write_out(line);
    }
}

void line_raw(struct line *line, const uint8_t *data, size_t size)
{
    if (line->master < 0 || line_now() < line->silent_until || size > sizeof line->queue - line->queued) {
        return;
    }
    memcpy(line->queue + line->queued, data, size);
    line->queued += size;
    line_run(line);
}

void line_send(struct line *line, const uint8_t *frame, size_t size)
{
    uint8_t copy[FRAME_MAX_BYTES];
    memcpy(copy, frame, size);
    memcpy(line->last, frame, size);
    line->last_size = size;
    if (line->lose > 0) {
        line->lose--;
        return;
    }
    if (line->reorder == 1) {
        memcpy(line->held, frame, size);
        line->held_size = size;
        line->reorder = 2;
        return;
    }
    if (line->flip > 0) {
        line->flip--;
        copy[size / 2] ^= 0x10u;
    }
    line_raw(line, copy, size);
    if (line->duplicate > 0) {
        line->duplicate--;
        line_raw(line, copy, size);
    }
    if (line->reorder == 2) {
        line->reorder = 0;
        line_raw(line, line->held, line->held_size);
    }
}

size_t line_read(struct line *line, uint8_t *data, size_t size)
{
    const ssize_t got = line->master >= 0 ? read(line->master, data, size) : 0;
    return got > 0 ? (size_t)got : 0;
}
