#define _GNU_SOURCE
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "crypto.h"

#define WORDS 6

struct word {
    const char *name;
    uint8_t value;
};

static const struct word SEATS[] = {{"NONE", 0}, {"PLAYER", 1}, {"BANKER", 2}, {"PUNTER", 3},
                                    {"RIGHT", 4}, {"LEFT", 5}, {NULL, 0}};
static const struct word KEYS[] = {{"STAND_BY", 0}, {"PLAYER", 1}, {"BANKER", 2}, {"TIE", 3},
                                   {"FORCED_END", 4}, {NULL, 0}};

static uint8_t named(const struct word *words, const char *name)
{
    while (words->name && strcmp(words->name, name) != 0) {
        words++;
    }
    return words->value;
}

uint8_t script_card(const char *text)
{
    static const char ranks[] = "A23456789TJQK";
    static const char suits[] = "SHDC";
    const char *rank = text[0] ? strchr(ranks, text[0]) : NULL;
    const char *suit = text[0] && text[1] ? strchr(suits, text[1]) : NULL;
    return rank && suit ? (uint8_t)((suit - suits + 1) * 16 + (rank - ranks + 1)) : 0;
}

static long number(const char *text) { return strtol(text, NULL, 10); }

static uint8_t byte(const char *text) { return (uint8_t)number(text); }

/* card SEAT PLACE FACE | unread SEAT PLACE | burn SETS LEFT FACE | returned | cut | loaded DECKS | ... */
static int mechanism(struct shoe *shoe, char *const word[WORDS])
{
    const char *what = word[0];
    if (!strcmp(what, "card")) {
        shoe_card_drawn(shoe, named(SEATS, word[1]), byte(word[2]), script_card(word[3]));
    } else if (!strcmp(what, "unread")) {
        shoe_card_unread(shoe, named(SEATS, word[1]), byte(word[2]));
    } else if (!strcmp(what, "burn")) {
        shoe_card_burnt(shoe, byte(word[1]), byte(word[2]), script_card(word[3]));
    } else if (!strcmp(what, "returned")) {
        shoe_card_returned(shoe);
    } else if (!strcmp(what, "cut")) {
        shoe_cut_card(shoe);
    } else if (!strcmp(what, "loaded")) {
        shoe_loaded(shoe, byte(word[1]));
    } else if (!strcmp(what, "button")) {
        shoe_button(shoe, named(KEYS, word[1]), byte(word[2]));
    } else if (!strcmp(what, "door")) {
        shoe_door(shoe, byte(word[1]));
    } else if (!strcmp(what, "tilt")) {
        shoe_tilt(shoe, byte(word[1]));
    } else if (!strcmp(what, "key")) {
        shoe_lock_turned(shoe, byte(word[1]));
    } else if (!strcmp(what, "error")) {
        shoe_error(shoe, byte(word[1]), byte(word[2]));
    } else if (!strcmp(what, "cleared")) {
        shoe_error_cleared(shoe, byte(word[1]));
    } else {
        return 0;
    }
    return 1;
}

static void foreign(struct bench *bench, uint8_t version, uint8_t flags, uint8_t type)
{
    struct link *link = &bench->shoe.link;
    struct frame frame = {0};
    uint8_t bytes[FRAME_MAX_BYTES];
    frame.version = version;
    frame.flags = flags;
    frame.type = type;
    frame.session = link->number;
    frame.counter = link->sent++;
    const size_t size = frame_write(&frame, link->level == TIRAGE_LEVEL_PLAIN ? NULL : link->from_shoe, bytes);
    line_raw(&bench->line, bytes, size);
}

static void noise(struct line *line, long count)
{
    uint8_t bytes[256];
    while (count > 0) {
        const size_t part = count < (long)sizeof bytes ? (size_t)count : sizeof bytes;
        crypto_random(bytes, part);
        line_raw(line, bytes, part);
        count -= (long)part;
    }
}

/* The counters as they were some events ago, as after a memory that wore out. */
static void count_back(struct bench *bench, uint32_t events)
{
    struct counters *counters = &bench->shoe.counters;
    counters->event -= events < counters->event ? events : counters->event;
    counters->card = (uint16_t)(counters->card - (events < counters->card ? events : counters->card));
    (void)counters_save(counters, &bench->port);
}

static int line_fault(struct line *line, char *const word[WORDS])
{
    const char *what = word[1];
    const long count = number(word[2]);
    if (!strcmp(what, "lose")) {
        line->lose = (unsigned)count;
    } else if (!strcmp(what, "flip")) {
        line->flip = (unsigned)count;
    } else if (!strcmp(what, "duplicate")) {
        line->duplicate = (unsigned)count;
    } else if (!strcmp(what, "reorder")) {
        line->reorder = 1;
    } else if (!strcmp(what, "silence")) {
        line->silent_until = line_now() + (uint64_t)count;
    } else if (!strcmp(what, "stall")) {
        line->stalled_until = line_now() + (uint64_t)count;
    } else if (!strcmp(what, "noise")) {
        noise(line, count);
    } else if (!strcmp(what, "replay")) {
        line_raw(line, line->last, line->last_size);
    } else if (!strcmp(what, "unplug")) {
        line_unplug(line);
    } else if (!strcmp(what, "plug")) {
        line_plug(line);
    } else if (!strcmp(what, "cut")) {
        line->cut_after = count;
        line->replug_after_ms = (uint64_t)number(word[3]);
    } else {
        return 0;
    }
    return 1;
}

static int shoe_fault(struct bench *bench, char *const word[WORDS])
{
    const char *what = word[1];
    const long count = number(word[2]);
    if (!strcmp(what, "reboot")) {
        shoe_start(&bench->shoe, &bench->port, &bench->identity);
    } else if (!strcmp(what, "back")) {
        count_back(bench, (uint32_t)count);
        shoe_start(&bench->shoe, &bench->port, &bench->identity);
    } else if (!strcmp(what, "flood")) {
        for (long i = 0; i < count; i++) {
            shoe_heartbeat(&bench->shoe);
        }
    } else if (!strcmp(what, "drift")) {
        bench->drift_ppm = count;
    } else if (!strcmp(what, "unknown")) {
        foreign(bench, TIRAGE_VERSION, 0, 0x7E);
    } else if (!strcmp(what, "optional")) {
        foreign(bench, TIRAGE_VERSION, TIRAGE_FLAG_OPTIONAL, TIRAGE_FIRST_PRIVATE_TYPE);
    } else if (!strcmp(what, "version")) {
        foreign(bench, TIRAGE_VERSION + 1u, 0, TIRAGE_TYPE_HEARTBEAT);
    } else {
        return 0;
    }
    return 1;
}

int script_line(struct bench *bench, char *text)
{
    static char nothing[] = "";
    char *word[WORDS] = {nothing, nothing, nothing, nothing, nothing, nothing};
    char *rest = NULL;
    int count = 0;
    for (char *next = strtok_r(text, " \t\r\n", &rest); next && count < WORDS; next = strtok_r(NULL, " \t\r\n", &rest)) {
        word[count++] = next;
    }
    if (count == 0 || word[0][0] == '#') {
        return 1;
    }
    if (!strcmp(word[0], "wait")) {
        bench->wait_until = line_now() + (uint64_t)number(word[1]);
        return 1;
    }
    if (!strcmp(word[0], "stay")) {
        bench->stay = 1;
        return 1;
    }
    if (!strcmp(word[0], "fault")) {
        return line_fault(&bench->line, word) || shoe_fault(bench, word);
    }
    return mechanism(&bench->shoe, word);
}
