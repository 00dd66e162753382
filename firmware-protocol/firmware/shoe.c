/* The conversation with the host: what is sent when, and what is answered. */
#include "shoe.h"

#include <string.h>

#include "crypto.h"

static uint32_t now(const struct shoe *shoe) { return shoe->port->milliseconds(shoe->port->context); }

enum { PARTIAL_FRAME_MS = 100 }; /* the longest frame takes 11 ms at 115200 baud */

static void put(struct shoe *shoe, struct frame *frame)
{
    uint8_t bytes[FRAME_MAX_BYTES];
    const size_t size = link_write(&shoe->link, frame, bytes);
    shoe->port->send(shoe->port->context, bytes, size);
}

static void send_at(struct shoe *shoe, uint16_t card, uint8_t type, const uint8_t *payload, size_t length)
{
    struct frame frame = {0};
    frame.type = type;
    frame.card = card;
    frame.ms = now(shoe);
    frame.length = (uint8_t)length;
    memcpy(frame.payload, payload, length);
    put(shoe, &frame);
}

void shoe_send(struct shoe *shoe, uint8_t type, const uint8_t *payload, size_t length)
{
    send_at(shoe, shoe->counters.card, type, payload, length);
}

#define SEND(shoe, name, NAME, ...)                                                                           \
    do {                                                                                                      \
        uint8_t payload[TIRAGE_MAX_PAYLOAD_BYTES];                                                            \
        const struct tirage_##name message = {__VA_ARGS__};                                                   \
        shoe_send((shoe), TIRAGE_TYPE_##NAME, payload, tirage_pack_##name(&message, payload));                \
    } while (0)

void shoe_heartbeat(struct shoe *shoe)
{
    shoe->beat_ms = now(shoe);
    SEND(shoe, heartbeat, HEARTBEAT, shoe->counters.event, shoe->locked, shoe->troubled);
}

static void send_event(struct shoe *shoe, struct shoe_event *event)
{
    struct frame frame = {0};
    frame.type = event->type;
    frame.flags = event->sent ? TIRAGE_FLAG_RESENT : 0u;
    frame.card = event->card;
    frame.ms = event->ms;
    frame.length = event->length;
    memcpy(frame.payload, event->payload, event->length);
    put(shoe, &frame);
    event->sent = 1;
}

/* The card number before an event: what was lost ahead of it can be named by that. */
static uint16_t card_before(const struct shoe_event *event)
{
    const int left = event->type == TIRAGE_TYPE_CARD_DRAWN || event->type == TIRAGE_TYPE_CARD_UNREAD ||
                     event->type == TIRAGE_TYPE_CARD_BURNT;
    return (uint16_t)(event->card - left);
}

/* Say what comes next; what was asked for and is gone is left out, and the host sees that. */
static void resend_from(struct shoe *shoe, uint32_t first)
{
    const uint32_t last = shoe->counters.event;
    const uint32_t oldest = shoe_oldest(shoe);
    uint8_t payload[TIRAGE_MAX_PAYLOAD_BYTES];
    shoe->next = first > last ? last + 1u : (first < oldest ? oldest : first);
    const uint16_t card = shoe->next > last ? shoe->counters.card : card_before(shoe_event_at(shoe, shoe->next));
    const struct tirage_resending message = {shoe->next, last};
    send_at(shoe, card, TIRAGE_TYPE_RESENDING, payload, tirage_pack_resending(&message, payload));
}

static int has_room(const struct shoe *shoe)
{
    return shoe->port->room(shoe->port->context) >= FRAME_MAX_BYTES;
}

/* A false start must not hold back a good frame behind it until enough other bytes have come. */
static void give_up_partial(struct shoe *shoe)
{
    struct frame frame;
    if (now(shoe) - shoe->byte_ms < PARTIAL_FRAME_MS) {
        return;
    }
    while (shoe->reader.used > 0) {
        frame_reader_give_up(&shoe->reader);
        while (frame_reader_next(&shoe->reader, &frame)) {
            shoe_answer(shoe, &frame);
        }
    }
}

void shoe_run(struct shoe *shoe)
{
    if (shoe->link.state != LINK_RUNNING) {
        return;
    }
    if (shoe->next < shoe_oldest(shoe) && has_room(shoe)) {
        resend_from(shoe, shoe->next); /* the line was too slow: the ring has gone round */
    }
    while (shoe->next <= shoe->counters.event && has_room(shoe)) {
        send_event(shoe, shoe_event_at(shoe, shoe->next));
        shoe->next++;
    }
    if (now(shoe) - shoe->beat_ms >= TIRAGE_HEARTBEAT_MS && has_room(shoe)) {
        shoe_heartbeat(shoe);
    }
}

/* Without a session: number and counter are 0 and nothing is proved. */
static void refuse(struct shoe *shoe, uint8_t refusal, uint32_t detail)
{
    link_end(&shoe->link);
    SEND(shoe, refused, REFUSED, refusal, detail);
}

static void answer_open(struct shoe *shoe, const struct frame *frame)
{
    const struct shoe_identity *identity = shoe->identity;
    struct tirage_open open;
    struct tirage_hello hello = {.schema = TIRAGE_SCHEMA};
    if (!tirage_unpack_open(&open, frame->payload, frame->length)) {
        return;
    }
    const int authentic = identity->has_key && open.level >= TIRAGE_LEVEL_AUTHENTIC;
    hello.level = authentic ? TIRAGE_LEVEL_AUTHENTIC : TIRAGE_LEVEL_PLAIN;
    if (hello.level < identity->lowest) {
        refuse(shoe, TIRAGE_REFUSAL_LEVEL, identity->lowest);
        return;
    }
    memcpy(hello.device, identity->device, sizeof hello.device);
    memcpy(hello.firmware, identity->firmware, sizeof hello.firmware);
    memcpy(hello.echo, open.nonce, sizeof hello.echo);
    crypto_random(hello.nonce, sizeof hello.nonce);
    hello.boots = shoe->counters.boots;
    hello.event = shoe->counters.event;
    link_begin(&shoe->link, authentic ? identity->key : NULL, open.nonce, hello.nonce, identity->device, open.level);
    uint8_t payload[TIRAGE_MAX_PAYLOAD_BYTES];
    shoe_send(shoe, TIRAGE_TYPE_HELLO, payload, tirage_pack_hello(&hello, payload));
}

static void answer_start(struct shoe *shoe, const struct frame *frame)
{
    struct tirage_start start;
    if (shoe->link.state != LINK_GREETED || !tirage_unpack_start(&start, frame->payload, frame->length)) {
        return;
    }
    shoe->link.state = LINK_RUNNING;
    const struct shoe_identity *is = shoe->identity;
    SEND(shoe, capabilities, CAPABILITIES, .names_seat = 1, .names_index = 1, .announces_result = !is->no_results,
         .announces_pairs = !is->no_results, .reports_cut_card = !is->no_cut_card, .reports_burn = !is->no_burn,
         .can_lock = 1, .reads_ahead = (uint8_t)(is->reads_ahead != 0), .ring = TIRAGE_RING_EVENTS);
    resend_from(shoe, start.first);
    shoe->beat_ms = now(shoe) - TIRAGE_HEARTBEAT_MS;
    shoe_run(shoe);
}

static void answer_resend(struct shoe *shoe, const struct frame *frame)
{
    struct tirage_resend resend;
    if (tirage_unpack_resend(&resend, frame->payload, frame->length)) {
        resend_from(shoe, resend.first);
        shoe_run(shoe);
    }
}

static uint8_t turn_lock(struct shoe *shoe, uint8_t locked)
{
    shoe->port->lock(shoe->port->context, locked);
    shoe_lock_turned(shoe, locked);
    return TIRAGE_OUTCOME_DONE;
}

static uint8_t obey(struct shoe *shoe, const struct frame *frame)
{
    struct tirage_lamp lamp;
    struct tirage_tone tone;
    switch (frame->type) {
    case TIRAGE_TYPE_LOCK:
        return turn_lock(shoe, 1);
    case TIRAGE_TYPE_UNLOCK:
        return turn_lock(shoe, 0);
    case TIRAGE_TYPE_LAMP:
        if (!tirage_unpack_lamp(&lamp, frame->payload, frame->length)) {
            return TIRAGE_OUTCOME_UNABLE;
        }
        shoe->port->lamp(shoe->port->context, lamp.light);
        return TIRAGE_OUTCOME_DONE;
    case TIRAGE_TYPE_TONE:
        if (!tirage_unpack_tone(&tone, frame->payload, frame->length)) {
            return TIRAGE_OUTCOME_UNABLE;
        }
        shoe->port->tone(shoe->port->context, tone.hertz, tone.length);
        return TIRAGE_OUTCOME_DONE;
    default:
        return TIRAGE_OUTCOME_UNABLE;
    }
}

static void answer_fresh(struct shoe *shoe, const struct frame *frame)
{
    const int known = frame->version == TIRAGE_VERSION;
    if (known && frame->type == TIRAGE_TYPE_START) {
        answer_start(shoe, frame);
    } else if (shoe->link.state != LINK_RUNNING) {
        return; /* nothing is obeyed before the host has proved itself by a start */
    } else if (known && frame->type == TIRAGE_TYPE_RESEND) {
        answer_resend(shoe, frame);
    } else if (!(frame->flags & TIRAGE_FLAG_OPTIONAL)) {
        const uint8_t outcome = known ? obey(shoe, frame) : (uint8_t)TIRAGE_OUTCOME_UNABLE;
        SEND(shoe, answer, ANSWER, frame->counter, outcome);
    } else if (known) {
        (void)obey(shoe, frame);
    }
}

void shoe_answer(struct shoe *shoe, const struct frame *frame)
{
    if (frame->type == TIRAGE_TYPE_OPEN && frame->session == 0) {
        if (frame->version == TIRAGE_VERSION) {
            answer_open(shoe, frame);
        } else {
            refuse(shoe, TIRAGE_REFUSAL_VERSION, TIRAGE_VERSION);
        }
        return;
    }
    switch (link_check(&shoe->link, frame)) {
    case LINK_FRESH:
        answer_fresh(shoe, frame);
        return;
    case LINK_FORGED:
        if (shoe->link.forged >= TIRAGE_BAD_TAGS) {
            SEND(shoe, refused, REFUSED, TIRAGE_REFUSAL_BAD_TAGS, shoe->link.forged);
            link_end(&shoe->link);
        }
        return;
    case LINK_STALE:
    case LINK_REPEATED:
        return;
    }
}

void shoe_poll(struct shoe *shoe)
{
    give_up_partial(shoe);
    shoe_run(shoe);
}

void shoe_receive(struct shoe *shoe, const uint8_t *data, size_t size)
{
    struct frame frame;
    give_up_partial(shoe);
    shoe->byte_ms = now(shoe);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&shoe->reader, data[i]);
        while (frame_reader_next(&shoe->reader, &frame)) {
            shoe_answer(shoe, &frame);
        }
    }
}
