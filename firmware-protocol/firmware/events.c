/* Events: numbered, counted in non-volatile memory, kept in a ring. */
#include <string.h>

#include "bytes.h"
#include "shoe.h"

struct shoe_event *shoe_event_at(struct shoe *shoe, uint32_t number)
{
    return &shoe->ring[number % TIRAGE_RING_EVENTS];
}

uint32_t shoe_oldest(const struct shoe *shoe) { return shoe->counters.event + 1u - shoe->held; }

/* The payload begins with the event number, which is set here. */
static void keep(struct shoe *shoe, uint8_t type, const uint8_t *payload, size_t length)
{
    shoe->counters.event++;
    if (counters_save(&shoe->counters, shoe->port) != 0) {
        shoe->troubled = 1; /* told with each heartbeat: after a power cut the numbers would be wrong */
    }
    struct shoe_event *event = shoe_event_at(shoe, shoe->counters.event);
    memset(event, 0, sizeof *event);
    event->number = shoe->counters.event;
    event->ms = shoe->port->milliseconds(shoe->port->context);
    event->card = shoe->counters.card;
    event->type = type;
    event->length = (uint8_t)length;
    memcpy(event->payload, payload, length);
    put_u32(event->payload, event->number);
    if (shoe->held < TIRAGE_RING_EVENTS) {
        shoe->held++;
    }
    shoe_run(shoe);
}

#define KEEP(shoe, name, NAME, ...)                                                                           \
    do {                                                                                                      \
        uint8_t payload[EVENT_MAX_BYTES];                                                                     \
        const struct tirage_##name message = {__VA_ARGS__};                                                   \
        const size_t length = tirage_pack_##name(&message, payload);                                          \
        if (length > 0) {                                                                                     \
            keep((shoe), TIRAGE_TYPE_##NAME, payload, length);                                                \
        }                                                                                                     \
    } while (0)

void shoe_start(struct shoe *shoe, const struct shoe_port *port, const struct shoe_identity *identity)
{
    memset(shoe, 0, sizeof *shoe);
    shoe->port = port;
    shoe->identity = identity;
    counters_load(&shoe->counters, port);
    shoe->counters.boots++;
    KEEP(shoe, powered_up, POWERED_UP, 0, shoe->counters.boots);
}

void shoe_loaded(struct shoe *shoe, uint8_t decks)
{
    shoe->counters.card = 0;
    KEEP(shoe, shoe_loaded, SHOE_LOADED, 0, decks);
}

void shoe_card_drawn(struct shoe *shoe, uint8_t seat, uint8_t place, uint8_t card)
{
    if (!tirage_is_card(card)) {
        shoe_card_unread(shoe, seat, place); /* whatever the sensor made of it, it is no face */
        return;
    }
    shoe->counters.card++;
    KEEP(shoe, card_drawn, CARD_DRAWN, 0, seat, place, card);
}

void shoe_card_unread(struct shoe *shoe, uint8_t seat, uint8_t place)
{
    shoe->counters.card++;
    KEEP(shoe, card_unread, CARD_UNREAD, 0, seat, place);
}

void shoe_card_returned(struct shoe *shoe)
{
    KEEP(shoe, card_returned, CARD_RETURNED, 0, shoe->counters.card);
}

void shoe_card_burnt(struct shoe *shoe, uint8_t sets_count, uint8_t left, uint8_t card)
{
    if (!tirage_is_card(card)) {
        shoe_card_unread(shoe, TIRAGE_SEAT_NONE, 0);
        return;
    }
    shoe->counters.card++;
    KEEP(shoe, card_burnt, CARD_BURNT, 0, sets_count, left, card);
}

void shoe_cut_card(struct shoe *shoe) { KEEP(shoe, cut_card, CUT_CARD, 0); }

void shoe_button(struct shoe *shoe, uint8_t key, uint8_t pairs) { KEEP(shoe, button, BUTTON, 0, key, pairs); }

void shoe_door(struct shoe *shoe, uint8_t open) { KEEP(shoe, door, DOOR, 0, open); }

void shoe_tilt(struct shoe *shoe, uint8_t moving) { KEEP(shoe, tilt, TILT, 0, moving); }

void shoe_lock_turned(struct shoe *shoe, uint8_t locked)
{
    shoe->locked = locked;
    KEEP(shoe, lock_turned, LOCK_TURNED, 0, locked);
}

void shoe_error(struct shoe *shoe, uint8_t trouble, uint8_t stopped)
{
    shoe->troubled = 1;
    KEEP(shoe, error, ERROR, 0, trouble, stopped);
}

void shoe_error_cleared(struct shoe *shoe, uint8_t trouble)
{
    shoe->troubled = 0;
    KEEP(shoe, error_cleared, ERROR_CLEARED, 0, trouble);
}
