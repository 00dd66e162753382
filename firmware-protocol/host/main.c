/* The reference shoe on this computer: it speaks on a pseudo-terminal and plays a script from standard input.
 *
 * shoe --link PATH --memory FILE --device 16HEX [--key 64HEX] [--lowest 0|1] [--reads-ahead]
 *      [--no-results] [--no-burn] [--no-cut-card]
 *
 * Each line of the script is answered by `done LINE` or `what? LINE` on standard output. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "crypto.h"
#include "script.h"

enum { POLL_MS = 5, LINE_BYTES = 256 };

static volatile sig_atomic_t stopped;

static void stop(int number) { stopped = number; }

static uint32_t milliseconds(void *context)
{
    const struct bench *bench = context;
    const uint64_t passed = line_now() - bench->began;
    return (uint32_t)((int64_t)passed + (int64_t)passed * bench->drift_ppm / 1000000);
}

static size_t room(void *context)
{
    const struct bench *bench = context;
    return sizeof bench->line.queue - bench->line.queued;
}

static void send_frame(void *context, const uint8_t *data, size_t size)
{
    struct bench *bench = context;
    line_send(&bench->line, data, size);
}

static int load(void *context, unsigned slot, uint8_t *data, size_t size)
{
    const struct bench *bench = context;
    const int file = open(bench->memory, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    const ssize_t got = pread(file, data, size, (off_t)(slot * size));
    (void)close(file);
    return got == (ssize_t)size ? 0 : -1;
}

static int save(void *context, unsigned slot, const uint8_t *data, size_t size)
{
    const struct bench *bench = context;
    const int file = open(bench->memory, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return -1;
    }
    const ssize_t put = pwrite(file, data, size, (off_t)(slot * size));
    return close(file) == 0 && put == (ssize_t)size ? 0 : -1;
}

static void lock(void *context, int locked)
{
    (void)context;
    printf("lock %d\n", locked);
}

static void lamp(void *context, uint8_t light)
{
    (void)context;
    printf("lamp %u\n", (unsigned)light);
}

static void tone(void *context, uint16_t hertz, uint16_t length)
{
    (void)context;
    printf("tone %u %u\n", (unsigned)hertz, (unsigned)length);
}

static void read_hex(const char *text, uint8_t *out, size_t size)
{
    if (strlen(text) != 2 * size || strspn(text, "0123456789abcdefABCDEF") != 2 * size) {
        (void)fprintf(stderr, "expected %zu hexadecimal digits, got %s\n", 2 * size, text);
        exit(2);
    }
    for (size_t i = 0; i < size; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

/* The hash of the running program stands for the hash that a boot loader would give. */
static void hash_program(uint8_t out[FIRMWARE_BYTES])
{
    static uint8_t program[8u << 20];
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    size_t size = 0;
    ssize_t got = 0;
    while (file >= 0 && size < sizeof program && (got = read(file, program + size, sizeof program - size)) > 0) {
        size += (size_t)got;
    }
    if (file >= 0) {
        (void)close(file);
    }
    crypto_sha256(out, program, size);
}

static void read_options(struct bench *bench, int count, char **values, const char **link)
{
    static const struct option options[] = {
        {"link", required_argument, NULL, 'l'},   {"memory", required_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'}, {"key", required_argument, NULL, 'k'},
        {"lowest", required_argument, NULL, 'w'}, {"reads-ahead", no_argument, NULL, 'r'},
        {"no-results", no_argument, NULL, 'b'},   {"no-burn", no_argument, NULL, 'n'},
        {"no-cut-card", no_argument, NULL, 'c'},  {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(count, values, "", options, NULL)) != -1) {
        switch (option) {
        case 'l': *link = optarg; break;
        case 'm': bench->memory = optarg; break;
        case 'd': read_hex(optarg, bench->identity.device, sizeof bench->identity.device); break;
        case 'k':
            read_hex(optarg, bench->identity.key, sizeof bench->identity.key);
            bench->identity.has_key = 1;
            break;
        case 'w': bench->identity.lowest = (uint8_t)strtoul(optarg, NULL, 10); break;
        case 'r': bench->identity.reads_ahead = 1; break;
        case 'b': bench->identity.no_results = 1; break;
        case 'n': bench->identity.no_burn = 1; break;
        case 'c': bench->identity.no_cut_card = 1; break;
        default: exit(2);
        }
    }
    if (!*link || !bench->memory) {
        (void)fprintf(stderr, "--link and --memory are needed\n");
        exit(2);
    }
}

/* One line at a time off standard input, so that a wait holds the rest back. */
static int next_line(char *text, size_t size, int *ended)
{
    static char held[4096];
    static size_t used;
    const char *end = memchr(held, '\n', used);
    if (!end && !*ended && used < sizeof held) {
        const ssize_t got = read(STDIN_FILENO, held + used, sizeof held - used);
        *ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
        used += got > 0 ? (size_t)got : 0;
        end = memchr(held, '\n', used);
    }
    if (!end) {
        return 0;
    }
    const size_t length = (size_t)(end - held);
    (void)snprintf(text, size, "%.*s", (int)length, held);
    used -= length + 1;
    memmove(held, end + 1, used);
    return 1;
}

static void play(struct bench *bench, int *ended)
{
    char text[LINE_BYTES];
    char copy[LINE_BYTES];
    while (line_now() >= bench->wait_until && next_line(text, sizeof text, ended)) {
        memcpy(copy, text, sizeof copy);
        const int understood = script_line(bench, copy);
        printf("%s %s\n", understood ? "done" : "what?", text);
        (void)fflush(stdout);
    }
}

static void run(struct bench *bench)
{
    uint8_t data[512];
    int ended = 0;
    while (!stopped && (!ended || bench->stay || line_now() < bench->wait_until)) {
        struct pollfd watched[2] = {{bench->line.master, POLLIN, 0}, {ended ? -1 : STDIN_FILENO, POLLIN, 0}};
        if (line_now() < bench->wait_until) {
            watched[1].fd = -1;
        }
        (void)poll(watched, 2, POLL_MS);
        const size_t got = line_read(&bench->line, data, sizeof data);
        if (got > 0) {
            shoe_receive(&bench->shoe, data, got);
        }
        play(bench, &ended);
        shoe_poll(&bench->shoe);
        line_run(&bench->line);
        (void)fflush(stdout);
    }
}

int main(int count, char **values)
{
    static struct bench bench;
    const char *link = NULL;
    const struct sigaction on_stop = {.sa_handler = stop};
    read_options(&bench, count, values, &link);
    if (crypto_begin() != 0) {
        return EXIT_FAILURE;
    }
    hash_program(bench.identity.firmware);
    bench.port = (struct shoe_port){&bench, milliseconds, room, send_frame, load, save, lock, lamp, tone};
    bench.began = line_now();
    (void)sigaction(SIGTERM, &on_stop, NULL);
    (void)sigaction(SIGINT, &on_stop, NULL);
    (void)fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    line_open(&bench.line, link);
    line_plug(&bench.line);
    shoe_start(&bench.shoe, &bench.port, &bench.identity);
    printf("plugged\n");
    (void)fflush(stdout);
    run(&bench);
    line_unplug(&bench.line);
    return EXIT_SUCCESS;
}
