/* The parts of the shoe by themselves, in a time of their own. Each check that fails is a line and the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "crypto.h"
#include "shoe.h"

static unsigned failures;
static unsigned checks;

#define CHECK(what)                                                                                           \
    do {                                                                                                      \
        checks++;                                                                                             \
        if (!(what)) {                                                                                        \
            failures++;                                                                                       \
            printf("%s:%d: %s\n", __func__, __LINE__, #what);                                                 \
        }                                                                                                     \
    } while (0)

/* A board in memory: what the shoe sends is kept as frames. */
struct board {
    uint32_t ms;
    uint8_t memory[2][COUNTERS_BYTES];
    int memory_fails;
    struct frame sent[200];
    unsigned count;
    size_t room;
    int locked;
};

static uint32_t milliseconds(void *context) { return ((struct board *)context)->ms; }
static size_t room(void *context) { return ((struct board *)context)->room; }

static void send_frame(void *context, const uint8_t *data, size_t size)
{
    struct board *board = context;
    struct frame_reader reader;
    frame_reader_reset(&reader);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&reader, data[i]);
    }
    if (board->count < sizeof board->sent / sizeof *board->sent) {
        CHECK(frame_reader_next(&reader, &board->sent[board->count]));
        board->count++;
    }
}

static int load(void *context, unsigned slot, uint8_t *data, size_t size)
{
    memcpy(data, ((struct board *)context)->memory[slot], size);
    return 0;
}

static int save(void *context, unsigned slot, const uint8_t *data, size_t size)
{
    struct board *board = context;
    if (board->memory_fails) {
        return -1;
    }
    memcpy(board->memory[slot], data, size);
    return 0;
}

static void lock(void *context, int locked) { ((struct board *)context)->locked = locked; }
static void lamp(void *context, uint8_t light) { (void)context; (void)light; }
static void tone(void *context, uint16_t hertz, uint16_t length) { (void)context; (void)hertz; (void)length; }

static const struct shoe_identity PLAIN = {.device = {9, 8, 7, 6, 5, 4, 3, 2}};
static const struct shoe_identity KEYED = {.device = {9, 8, 7, 6, 5, 4, 3, 2}, .has_key = 1, .key = {1, 2, 3}};

static struct board board;
static struct shoe_port port = {&board, milliseconds, room, send_frame, load, save, lock, lamp, tone};
static struct shoe shoe;
static struct link host; /* the host's view of the session: the same keys */

static void power_up(const struct shoe_identity *identity)
{
    memset(&board, 0, sizeof board);
    board.room = 1u << 20;
    shoe_start(&shoe, &port, identity);
}

static void say(uint8_t version, uint8_t flags, uint8_t type, const uint8_t *payload, size_t length)
{
    struct frame frame = {0};
    uint8_t raw[FRAME_MAX_BYTES];
    frame.version = version;
    frame.flags = flags;
    frame.type = type;
    frame.length = (uint8_t)length;
    if (length > 0) {
        memcpy(frame.payload, payload, length);
    }
    frame.session = type == TIRAGE_TYPE_OPEN ? 0 : host.number;
    frame.counter = type == TIRAGE_TYPE_OPEN ? 0 : ++host.sent;
    const uint8_t *key = host.level == TIRAGE_LEVEL_PLAIN || type == TIRAGE_TYPE_OPEN ? NULL : host.from_host;
    shoe_receive(&shoe, raw, frame_write(&frame, key, raw));
}

static const struct frame *last_sent(uint8_t type)
{
    for (unsigned i = board.count; i > 0; i--) {
        if (board.sent[i - 1].type == type) {
            return &board.sent[i - 1];
        }
    }
    return NULL;
}

static unsigned count_sent(uint8_t type)
{
    unsigned count = 0;
    for (unsigned i = 0; i < board.count; i++) {
        count += board.sent[i].type == type;
    }
    return count;
}

static void open_session(uint8_t level, uint32_t first)
{
    uint8_t payload[NONCE_BYTES + 1u] = {42};
    struct tirage_hello hello;
    payload[NONCE_BYTES] = level;
    board.count = 0;
    memset(&host, 0, sizeof host);
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_OPEN, payload, sizeof payload);
    const struct frame *frame = last_sent(TIRAGE_TYPE_HELLO);
    CHECK(frame && tirage_unpack_hello(&hello, frame->payload, frame->length));
    if (!frame) {
        return;
    }
    const uint8_t *key = hello.level == TIRAGE_LEVEL_PLAIN ? NULL : shoe.identity->key;
    link_begin(&host, key, payload, hello.nonce, hello.device, level);
    CHECK(host.number == frame->session);
    CHECK(!key || frame_proved(frame, host.from_shoe));
    put_u32(payload, first);
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_START, payload, 4);
}

static void the_check_of_a_frame_is_that_of_zlib(void)
{
    CHECK(frame_crc((const uint8_t *)"123456789", 9) == 0xCBF43926u);
}

static void a_good_frame_inside_a_bad_one_is_found(void)
{
    struct frame frame = {.version = 1, .type = TIRAGE_TYPE_LOCK, .counter = 5};
    struct frame found;
    struct frame_reader reader;
    uint8_t raw[FRAME_MAX_BYTES + 3u] = {TIRAGE_START, 90, 0x10};
    const size_t size = frame_write(&frame, NULL, raw + 3) + 3;
    unsigned frames = 0;
    frame_reader_reset(&reader);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&reader, raw[i]);
        frames += (unsigned)frame_reader_next(&reader, &found);
    }
    CHECK(frames == 0); /* the false start asks for more bytes than came */
    while (reader.used > 0) {
        frame_reader_give_up(&reader);
        frames += (unsigned)frame_reader_next(&reader, &found);
    }
    CHECK(frames == 1 && found.counter == 5);
}

static void a_wrong_check_costs_the_start_byte_only(void)
{
    struct frame frame = {.version = 1, .type = TIRAGE_TYPE_LOCK, .counter = 6};
    struct frame found;
    struct frame_reader reader;
    uint8_t raw[2 * FRAME_MAX_BYTES] = {TIRAGE_START, 4, 0x10}; /* asks for 24 bytes, the good frame has 20 */
    size_t size = 3 + frame_write(&frame, NULL, raw + 3);
    size += frame_write(&frame, NULL, raw + size);
    unsigned frames = 0;
    frame_reader_reset(&reader);
    for (size_t i = 0; i < size; i++) {
        frame_reader_put(&reader, raw[i]);
        while (frame_reader_next(&reader, &found)) {
            frames += found.counter == 6;
        }
    }
    CHECK(frames == 2 && reader.bad_frames == 1);
}

static void counters_survive_a_torn_write(void)
{
    struct counters counters;
    power_up(&PLAIN);
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    shoe_card_drawn(&shoe, 2, 1, 0x19);
    const uint32_t newest = shoe.counters.writes & 1u;
    memset(board.memory[newest], 0xFF, 7); /* the last write did not finish */
    counters_load(&counters, &port);
    CHECK(counters.card == 1);
    CHECK(counters.event == shoe.counters.event - 1);
}

static void a_start_keeps_the_card_number_and_counts_boots(void)
{
    power_up(&PLAIN);
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    shoe_start(&shoe, &port, &PLAIN);
    CHECK(shoe.counters.card == 1);
    CHECK(shoe.counters.boots == 2);
    CHECK(shoe.counters.event == 3);
    CHECK(shoe.held == 1);
}

static void a_failing_memory_is_told_with_each_heartbeat(void)
{
    struct tirage_heartbeat beat;
    power_up(&PLAIN);
    board.memory_fails = 1;
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    const struct frame *frame = last_sent(TIRAGE_TYPE_HEARTBEAT);
    CHECK(frame && tirage_unpack_heartbeat(&beat, frame->payload, frame->length) && beat.troubled);
}

static void events_are_sent_in_order_from_the_asked_one(void)
{
    struct tirage_card_drawn card;
    power_up(&PLAIN);
    for (uint8_t i = 1; i <= 10; i++) {
        shoe_card_drawn(&shoe, 1, 0, (uint8_t)(0x10 + i));
    }
    open_session(TIRAGE_LEVEL_PLAIN, 5);
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == 7);
    const struct frame *frame = last_sent(TIRAGE_TYPE_CARD_DRAWN);
    CHECK(frame && tirage_unpack_card_drawn(&card, frame->payload, frame->length));
    CHECK(card.event == 11 && card.card == 0x1A && frame && frame->card == 10);
}

static void what_the_ring_has_lost_is_left_out(void)
{
    struct tirage_resending resending;
    power_up(&PLAIN);
    for (unsigned i = 0; i < 100; i++) {
        shoe_card_drawn(&shoe, 1, 0, 0x11);
    }
    open_session(TIRAGE_LEVEL_PLAIN, 2);
    const struct frame *frame = last_sent(TIRAGE_TYPE_RESENDING);
    CHECK(frame && tirage_unpack_resending(&resending, frame->payload, frame->length));
    CHECK(frame && frame->card == 100 - TIRAGE_RING_EVENTS);
    CHECK(resending.last == 101 && resending.first == 101 - TIRAGE_RING_EVENTS + 1);
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == TIRAGE_RING_EVENTS);
}

static void a_slow_line_holds_events_back_and_loses_none(void)
{
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    board.room = 0;
    for (unsigned i = 0; i < 20; i++) {
        shoe_card_drawn(&shoe, 1, 0, 0x11);
    }
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == 0);
    board.room = 1u << 20;
    shoe_poll(&shoe);
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == 20);
}

static void a_line_too_slow_for_the_ring_says_where_it_goes_on(void)
{
    struct tirage_resending resending;
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    board.room = 0;
    for (unsigned i = 0; i < 100; i++) {
        shoe_card_drawn(&shoe, 1, 0, 0x11);
    }
    board.room = 1u << 20;
    board.count = 0;
    shoe_poll(&shoe);
    const struct frame *frame = last_sent(TIRAGE_TYPE_RESENDING);
    CHECK(frame && tirage_unpack_resending(&resending, frame->payload, frame->length));
    CHECK(frame && resending.first == 101 - TIRAGE_RING_EVENTS + 1);
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == TIRAGE_RING_EVENTS);
}

static void an_event_sent_before_says_so(void)
{
    const uint8_t first[4] = {2};
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    const struct frame *frame = last_sent(TIRAGE_TYPE_CARD_DRAWN);
    CHECK(frame && !(frame->flags & TIRAGE_FLAG_RESENT));
    board.ms += 50;
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_RESEND, first, sizeof first);
    frame = last_sent(TIRAGE_TYPE_CARD_DRAWN);
    CHECK(frame && (frame->flags & TIRAGE_FLAG_RESENT) && frame->ms == board.ms - 50);
}

static void fresh_cards_begin_at_card_0(void)
{
    power_up(&PLAIN);
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    shoe_loaded(&shoe, 8);
    CHECK(shoe.counters.card == 0);
    shoe_card_drawn(&shoe, 1, 1, 0x18);
    CHECK(shoe.counters.card == 1 && shoe.counters.event == 4);
}

static void frames_of_another_session_are_dropped(void)
{
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    host.number ^= 1u;
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_LOCK, NULL, 0);
    CHECK(!board.locked && count_sent(TIRAGE_TYPE_ANSWER) == 0);
}

static void a_question_in_another_version_is_refused(void)
{
    const uint8_t payload[NONCE_BYTES + 1u] = {1};
    power_up(&PLAIN);
    say(TIRAGE_VERSION + 1u, 0, TIRAGE_TYPE_OPEN, payload, sizeof payload);
    CHECK(count_sent(TIRAGE_TYPE_HELLO) == 0 && count_sent(TIRAGE_TYPE_REFUSED) == 1);
}

static void a_heartbeat_comes_every_quarter_of_a_second(void)
{
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    for (unsigned i = 0; i < 1000; i++) {
        board.ms++;
        shoe_poll(&shoe);
    }
    CHECK(count_sent(TIRAGE_TYPE_HEARTBEAT) == 5);
}

static void an_impossible_face_is_an_unread_card(void)
{
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    shoe_card_drawn(&shoe, 1, 1, 0x1E);
    CHECK(count_sent(TIRAGE_TYPE_CARD_DRAWN) == 0);
    CHECK(count_sent(TIRAGE_TYPE_CARD_UNREAD) == 1);
    CHECK(shoe.counters.card == 1);
}

static void a_shoe_with_a_key_answers_with_proof(void)
{
    power_up(&KEYED);
    open_session(TIRAGE_LEVEL_AUTHENTIC, TIRAGE_FROM_NOW);
    CHECK(shoe.link.state == LINK_RUNNING);
    CHECK(board.count > 0 && frame_proved(&board.sent[board.count - 1], host.from_shoe));
}

static void three_wrong_tags_end_the_session(void)
{
    const uint8_t light = 1;
    power_up(&KEYED);
    open_session(TIRAGE_LEVEL_AUTHENTIC, TIRAGE_FROM_NOW);
    host.from_host[0] ^= 1;
    for (unsigned i = 0; i < 3; i++) {
        CHECK(shoe.link.state == LINK_RUNNING);
        say(TIRAGE_VERSION, 0, TIRAGE_TYPE_LAMP, &light, 1);
    }
    CHECK(shoe.link.state == LINK_CLOSED);
    CHECK(count_sent(TIRAGE_TYPE_ANSWER) == 0);
    CHECK(count_sent(TIRAGE_TYPE_REFUSED) == 1);
}

static void nothing_is_obeyed_before_the_start(void)
{
    power_up(&KEYED);
    open_session(TIRAGE_LEVEL_AUTHENTIC, TIRAGE_FROM_NOW);
    shoe.link.state = LINK_GREETED;
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_LOCK, NULL, 0);
    CHECK(!board.locked);
}

static void a_command_is_obeyed_once_however_often_it_comes(void)
{
    uint8_t raw[FRAME_MAX_BYTES];
    struct frame frame = {.version = TIRAGE_VERSION, .type = TIRAGE_TYPE_LOCK};
    power_up(&KEYED);
    open_session(TIRAGE_LEVEL_AUTHENTIC, TIRAGE_FROM_NOW);
    frame.session = host.number;
    frame.counter = ++host.sent;
    const size_t size = frame_write(&frame, host.from_host, raw);
    shoe_receive(&shoe, raw, size);
    shoe_receive(&shoe, raw, size);
    CHECK(board.locked == 1);
    CHECK(count_sent(TIRAGE_TYPE_ANSWER) == 1);
    CHECK(count_sent(TIRAGE_TYPE_LOCK_TURNED) == 1);
}

static void a_shoe_that_wants_proof_gives_no_plain_session(void)
{
    struct shoe_identity identity = KEYED;
    const uint8_t payload[NONCE_BYTES + 1u] = {1};
    identity.lowest = TIRAGE_LEVEL_AUTHENTIC;
    power_up(&identity);
    say(TIRAGE_VERSION, 0, TIRAGE_TYPE_OPEN, payload, sizeof payload);
    CHECK(count_sent(TIRAGE_TYPE_HELLO) == 0);
    CHECK(count_sent(TIRAGE_TYPE_REFUSED) == 1);
    CHECK(shoe.link.state == LINK_CLOSED);
}

static void an_unknown_command_is_answered_unless_it_is_optional(void)
{
    power_up(&PLAIN);
    open_session(TIRAGE_LEVEL_PLAIN, TIRAGE_FROM_NOW);
    say(TIRAGE_VERSION, TIRAGE_FLAG_OPTIONAL, 0x20, NULL, 0);
    CHECK(count_sent(TIRAGE_TYPE_ANSWER) == 0);
    say(TIRAGE_VERSION, 0, 0x20, NULL, 0);
    CHECK(count_sent(TIRAGE_TYPE_ANSWER) == 1);
    say(TIRAGE_VERSION + 1u, 0, TIRAGE_TYPE_LOCK, NULL, 0);
    CHECK(count_sent(TIRAGE_TYPE_ANSWER) == 2 && !board.locked);
}

int main(void)
{
    if (crypto_begin() != 0) {
        return EXIT_FAILURE;
    }
    the_check_of_a_frame_is_that_of_zlib();
    a_good_frame_inside_a_bad_one_is_found();
    a_wrong_check_costs_the_start_byte_only();
    counters_survive_a_torn_write();
    a_start_keeps_the_card_number_and_counts_boots();
    a_failing_memory_is_told_with_each_heartbeat();
    events_are_sent_in_order_from_the_asked_one();
    what_the_ring_has_lost_is_left_out();
    a_slow_line_holds_events_back_and_loses_none();
    a_line_too_slow_for_the_ring_says_where_it_goes_on();
    an_event_sent_before_says_so();
    fresh_cards_begin_at_card_0();
    frames_of_another_session_are_dropped();
    a_question_in_another_version_is_refused();
    a_heartbeat_comes_every_quarter_of_a_second();
    an_impossible_face_is_an_unread_card();
    a_shoe_with_a_key_answers_with_proof();
    three_wrong_tags_end_the_session();
    nothing_is_obeyed_before_the_start();
    a_command_is_obeyed_once_however_often_it_comes();
    a_shoe_that_wants_proof_gives_no_plain_session();
    an_unknown_command_is_answered_unless_it_is_optional();
    printf("%u checks, %u failed\n", checks, failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
