/* The tirage shoe protocol. Generated from protocol.toml by generate.py: do not edit. */
#ifndef TIRAGE_PROTOCOL_H
#define TIRAGE_PROTOCOL_H

#define TIRAGE_VERSION 1u
#define TIRAGE_START 167u
#define TIRAGE_HEADER_BYTES 16u
#define TIRAGE_TAG_BYTES 8u
#define TIRAGE_CRC_BYTES 4u
#define TIRAGE_MAX_PAYLOAD_BYTES 96u
#define TIRAGE_HEARTBEAT_MS 250u
#define TIRAGE_RING_EVENTS 64u
#define TIRAGE_WINDOW_FRAMES 64u
#define TIRAGE_FRAMES_PER_SECOND 200u
#define TIRAGE_BAD_TAGS 3u
#define TIRAGE_FROM_NOW 4294967295u
#define TIRAGE_FIRST_EVENT_TYPE 128u
#define TIRAGE_FIRST_PRIVATE_TYPE 192u
#define TIRAGE_LAST_PRIVATE_TYPE 223u
#define TIRAGE_FLAG_OPTIONAL 1u
#define TIRAGE_FLAG_TAGGED 2u
#define TIRAGE_FLAG_RESENT 4u
#define TIRAGE_SCHEMA { 0x84, 0xFB, 0x1E, 0xE1, 0xD1, 0x98, 0xFD, 0xF5 }

/* how a session is protected */
enum tirage_level {
    TIRAGE_LEVEL_PLAIN = 0, /* L0: nothing is proved, shown as UNAUTHENTICATED */
    TIRAGE_LEVEL_AUTHENTIC = 1, /* L1: each frame has a tag */
    TIRAGE_LEVEL_SEALED = 2, /* L2: specified, not built */
};
#define TIRAGE_IS_LEVEL(x) \
    ((x) == 0 || (x) == 1 || (x) == 2)

/* the spot of a card as the shoe knows it */
enum tirage_seat {
    TIRAGE_SEAT_NONE = 0, /* the shoe does not say */
    TIRAGE_SEAT_PLAYER = 1, /* Player */
    TIRAGE_SEAT_BANKER = 2, /* Banker */
    TIRAGE_SEAT_PUNTER = 3, /* the punter of chemin de fer */
    TIRAGE_SEAT_RIGHT = 4, /* right tableau of banque */
    TIRAGE_SEAT_LEFT = 5, /* left tableau of banque */
};
#define TIRAGE_IS_SEAT(x) \
    ((x) == 0 || (x) == 1 || (x) == 2 || (x) == 3 || (x) == 4 || (x) == 5)

/* the high half of a card byte */
enum tirage_suit {
    TIRAGE_SUIT_SPADES = 1, /* S */
    TIRAGE_SUIT_HEARTS = 2, /* H */
    TIRAGE_SUIT_DIAMONDS = 3, /* D */
    TIRAGE_SUIT_CLUBS = 4, /* C */
};
#define TIRAGE_IS_SUIT(x) \
    ((x) == 1 || (x) == 2 || (x) == 3 || (x) == 4)

/* a button on the shoe */
enum tirage_key {
    TIRAGE_KEY_STAND_BY = 0, /* ready for the next hand */
    TIRAGE_KEY_PLAYER = 1, /* Player wins */
    TIRAGE_KEY_BANKER = 2, /* Banker wins */
    TIRAGE_KEY_TIE = 3, /* tie */
    TIRAGE_KEY_FORCED_END = 4, /* the hand is ended without a result */
};
#define TIRAGE_IS_KEY(x) \
    ((x) == 0 || (x) == 1 || (x) == 2 || (x) == 3 || (x) == 4)

/* pairs announced with a result */
enum tirage_pairs {
    TIRAGE_PAIRS_NONE = 0, /* no pair */
    TIRAGE_PAIRS_PLAYER = 1, /* Player pair */
    TIRAGE_PAIRS_BANKER = 2, /* Banker pair */
    TIRAGE_PAIRS_BOTH = 3, /* both */
    TIRAGE_PAIRS_UNSAID = 4, /* the shoe announces no pairs */
};
#define TIRAGE_IS_PAIRS(x) \
    ((x) == 0 || (x) == 1 || (x) == 2 || (x) == 3 || (x) == 4)

/* errors of the mechanism */
enum tirage_trouble {
    TIRAGE_TROUBLE_OTHER = 0, /* anything else */
    TIRAGE_TROUBLE_CANNOT_READ = 1, /* a face cannot be read */
    TIRAGE_TROUBLE_OVERDRAW = 2, /* a card after the hand was over */
    TIRAGE_TROUBLE_WRONG_BUTTON = 3, /* a result button out of turn */
    TIRAGE_TROUBLE_REVERSE_AT_EXIT = 4, /* a card moved back at the exit */
    TIRAGE_TROUBLE_REVERSE_MIDWAY = 5, /* a card moved back inside */
    TIRAGE_TROUBLE_CARD_CODE = 6, /* a foreign or damaged card */
    TIRAGE_TROUBLE_DRAW_TIMEOUT = 7, /* a half-drawn card */
};
#define TIRAGE_IS_TROUBLE(x) \
    ((x) == 0 || (x) == 1 || (x) == 2 || (x) == 3 || (x) == 4 || (x) == 5 || (x) == 6 || (x) == 7)

/* the lamp on the shoe */
enum tirage_light {
    TIRAGE_LIGHT_OFF = 0, /* dark */
    TIRAGE_LIGHT_READY = 1, /* the next card may be drawn */
    TIRAGE_LIGHT_STOP = 2, /* no card may be drawn */
    TIRAGE_LIGHT_ATTENTION = 3, /* a person is wanted */
};
#define TIRAGE_IS_LIGHT(x) \
    ((x) == 0 || (x) == 1 || (x) == 2 || (x) == 3)

/* what became of a command */
enum tirage_outcome {
    TIRAGE_OUTCOME_DONE = 0, /* carried out */
    TIRAGE_OUTCOME_BUSY = 1, /* not now; it may be sent again */
    TIRAGE_OUTCOME_UNABLE = 2, /* this shoe cannot do that */
};
#define TIRAGE_IS_OUTCOME(x) \
    ((x) == 0 || (x) == 1 || (x) == 2)

/* why the shoe opens no session, or ends it */
enum tirage_refusal {
    TIRAGE_REFUSAL_LEVEL = 0, /* the level is not to be had */
    TIRAGE_REFUSAL_BAD_TAGS = 1, /* three frames with a wrong tag */
    TIRAGE_REFUSAL_VERSION = 2, /* the version of the frame is not spoken */
};
#define TIRAGE_IS_REFUSAL(x) \
    ((x) == 0 || (x) == 1 || (x) == 2)

/* X(name, id, payload bytes, from the host?) of messages with fields */
#define TIRAGE_MESSAGES(X) \
    X(open, 0x01, 17, 1) \
    X(start, 0x02, 4, 1) \
    X(resend, 0x03, 4, 1) \
    X(lamp, 0x06, 1, 1) \
    X(tone, 0x07, 4, 1) \
    X(hello, 0x41, 89, 0) \
    X(capabilities, 0x42, 10, 0) \
    X(heartbeat, 0x43, 6, 0) \
    X(resending, 0x44, 8, 0) \
    X(answer, 0x45, 5, 0) \
    X(refused, 0x46, 5, 0) \
    X(powered_up, 0x80, 8, 0) \
    X(shoe_loaded, 0x81, 5, 0) \
    X(card_drawn, 0x82, 7, 0) \
    X(card_unread, 0x83, 6, 0) \
    X(card_returned, 0x84, 6, 0) \
    X(card_burnt, 0x85, 7, 0) \
    X(cut_card, 0x86, 4, 0) \
    X(button, 0x87, 6, 0) \
    X(door, 0x88, 5, 0) \
    X(tilt, 0x89, 5, 0) \
    X(lock_turned, 0x8A, 5, 0) \
    X(error, 0x8B, 6, 0) \
    X(error_cleared, 0x8C, 5, 0)

/* X(name, id, payload bytes, from the host?) of messages without fields */
#define TIRAGE_BARE_MESSAGES(X) \
    X(lock, 0x04, 0, 1) \
    X(unlock, 0x05, 0, 1)

enum tirage_type {
    TIRAGE_TYPE_OPEN = 0x01,
    TIRAGE_TYPE_START = 0x02,
    TIRAGE_TYPE_RESEND = 0x03,
    TIRAGE_TYPE_LOCK = 0x04,
    TIRAGE_TYPE_UNLOCK = 0x05,
    TIRAGE_TYPE_LAMP = 0x06,
    TIRAGE_TYPE_TONE = 0x07,
    TIRAGE_TYPE_HELLO = 0x41,
    TIRAGE_TYPE_CAPABILITIES = 0x42,
    TIRAGE_TYPE_HEARTBEAT = 0x43,
    TIRAGE_TYPE_RESENDING = 0x44,
    TIRAGE_TYPE_ANSWER = 0x45,
    TIRAGE_TYPE_REFUSED = 0x46,
    TIRAGE_TYPE_POWERED_UP = 0x80,
    TIRAGE_TYPE_SHOE_LOADED = 0x81,
    TIRAGE_TYPE_CARD_DRAWN = 0x82,
    TIRAGE_TYPE_CARD_UNREAD = 0x83,
    TIRAGE_TYPE_CARD_RETURNED = 0x84,
    TIRAGE_TYPE_CARD_BURNT = 0x85,
    TIRAGE_TYPE_CUT_CARD = 0x86,
    TIRAGE_TYPE_BUTTON = 0x87,
    TIRAGE_TYPE_DOOR = 0x88,
    TIRAGE_TYPE_TILT = 0x89,
    TIRAGE_TYPE_LOCK_TURNED = 0x8A,
    TIRAGE_TYPE_ERROR = 0x8B,
    TIRAGE_TYPE_ERROR_CLEARED = 0x8C
};

/* asks for a session */
#define TIRAGE_FIELDS_open(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    BYTES(nonce, 16) ENUM(level, LEVEL)

/* proves the host and names the first event that it wants */
#define TIRAGE_FIELDS_start(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(first)

/* asks for events again */
#define TIRAGE_FIELDS_resend(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(first)

/* sets the lamp */
#define TIRAGE_FIELDS_lamp(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    ENUM(light, LIGHT)

/* sounds a tone */
#define TIRAGE_FIELDS_tone(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U16(hertz) U16(length)

/* answers open: who the shoe is and where it stands */
#define TIRAGE_FIELDS_hello(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    BYTES(device, 8) BYTES(schema, 8) BYTES(firmware, 32) U32(boots) BYTES(echo, 16) BYTES(nonce, 16) ENUM(level, LEVEL) U32(event)

/* what the shoe can know and do */
#define TIRAGE_FIELDS_capabilities(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    FLAG(names_seat) FLAG(names_index) FLAG(announces_result) FLAG(announces_pairs) FLAG(reports_cut_card) FLAG(reports_burn) FLAG(can_lock) FLAG(reads_ahead) U16(ring)

/* every 250 ms, and at once after a start */
#define TIRAGE_FIELDS_heartbeat(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) FLAG(locked) FLAG(troubled)

/* answers start and resend; its header has the card number before the first */
#define TIRAGE_FIELDS_resending(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(first) U32(last)

/* answers a command */
#define TIRAGE_FIELDS_answer(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(command) ENUM(outcome, OUTCOME)

/* no session, or its end */
#define TIRAGE_FIELDS_refused(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    ENUM(refusal, REFUSAL) U32(detail)

/* the shoe started */
#define TIRAGE_FIELDS_powered_up(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) U32(boots)

/* fresh cards: the card number is 0 */
#define TIRAGE_FIELDS_shoe_loaded(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) U8(decks)

/* a card for the game left the shoe */
#define TIRAGE_FIELDS_card_drawn(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) ENUM(seat, SEAT) U8(place) CARD(card)

/* a card left the shoe and its face could not be read */
#define TIRAGE_FIELDS_card_unread(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) ENUM(seat, SEAT) U8(place)

/* a drawn card was pushed back; its number stays used */
#define TIRAGE_FIELDS_card_returned(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) U16(number)

/* a card of the burn group left the shoe */
#define TIRAGE_FIELDS_card_burnt(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) FLAG(sets_count) U8(left) CARD(card)

/* the cut card left the shoe */
#define TIRAGE_FIELDS_cut_card(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event)

/* a button was pressed */
#define TIRAGE_FIELDS_button(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) ENUM(key, KEY) ENUM(pairs, PAIRS)

/* the door or lid moved */
#define TIRAGE_FIELDS_door(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) FLAG(open)

/* the shoe was moved or has come to rest */
#define TIRAGE_FIELDS_tilt(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) FLAG(moving)

/* the exit was locked or freed, by key or by command */
#define TIRAGE_FIELDS_lock_turned(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) FLAG(locked)

/* an error of the mechanism began */
#define TIRAGE_FIELDS_error(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) ENUM(trouble, TROUBLE) FLAG(stopped)

/* an error of the mechanism ended */
#define TIRAGE_FIELDS_error_cleared(U8, U16, U32, BYTES, FLAG, CARD, ENUM) \
    U32(event) ENUM(trouble, TROUBLE)

#endif
