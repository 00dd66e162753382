/* The reference shoe: what it has seen, what it still has to say, and to whom. */
#ifndef SHOE_H
#define SHOE_H

#include <stdint.h>

#include "codec.h"
#include "counters.h"
#include "frame.h"
#include "link.h"
#include "port.h"

#define EVENT_MAX_BYTES 16u
#define FIRMWARE_BYTES 32u

struct shoe_identity {
    uint8_t device[DEVICE_BYTES];
    uint8_t firmware[FIRMWARE_BYTES];
    uint8_t key[FRAME_KEY_BYTES];
    int has_key;    /* all levels need one but L0; there is no default */
    uint8_t lowest; /* a host that offers less is refused */
    int reads_ahead;
    int no_results;
    int no_burn;
    int no_cut_card;
};

struct shoe_event {
    uint32_t number;
    uint32_t ms;
    uint16_t card;
    uint8_t type;
    uint8_t length;
    uint8_t sent; /* in this session or an earlier one */
    uint8_t payload[EVENT_MAX_BYTES];
};

struct shoe {
    const struct shoe_port *port;
    const struct shoe_identity *identity;
    struct counters counters;
    struct shoe_event ring[TIRAGE_RING_EVENTS];
    unsigned held;
    uint32_t next; /* number of the next event to send in this session */
    struct link link;
    struct frame_reader reader;
    uint32_t beat_ms; /* time of the last heartbeat */
    uint32_t byte_ms; /* time of the last byte from the host */
    uint8_t locked;
    uint8_t troubled;
};

/* Start: the number of cards is kept, all else begins anew. The two structs must outlive the shoe. */
void shoe_start(struct shoe *shoe, const struct shoe_port *port, const struct shoe_identity *identity);
void shoe_receive(struct shoe *shoe, const uint8_t *data, size_t size);
/* Call often, at least every 50 ms. */
void shoe_poll(struct shoe *shoe);

/* What the mechanism saw. Each is kept before it is sent. */
void shoe_loaded(struct shoe *shoe, uint8_t decks);
void shoe_card_drawn(struct shoe *shoe, uint8_t seat, uint8_t place, uint8_t card);
void shoe_card_unread(struct shoe *shoe, uint8_t seat, uint8_t place);
void shoe_card_returned(struct shoe *shoe);
void shoe_card_burnt(struct shoe *shoe, uint8_t sets_count, uint8_t left, uint8_t card);
void shoe_cut_card(struct shoe *shoe);
void shoe_button(struct shoe *shoe, uint8_t key, uint8_t pairs);
void shoe_door(struct shoe *shoe, uint8_t open);
void shoe_tilt(struct shoe *shoe, uint8_t moving);
void shoe_lock_turned(struct shoe *shoe, uint8_t locked);
void shoe_error(struct shoe *shoe, uint8_t trouble, uint8_t stopped);
void shoe_error_cleared(struct shoe *shoe, uint8_t trouble);

/* For the parts of the shoe, and for faults. */
/* Send what is waiting, and heartbeats. */
void shoe_run(struct shoe *shoe);
void shoe_heartbeat(struct shoe *shoe);
uint32_t shoe_oldest(const struct shoe *shoe);
struct shoe_event *shoe_event_at(struct shoe *shoe, uint32_t number);
void shoe_send(struct shoe *shoe, uint8_t type, const uint8_t *payload, size_t length);
void shoe_answer(struct shoe *shoe, const struct frame *frame);

#endif
