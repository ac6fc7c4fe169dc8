/* Reads a message of WireRecords.All and compares each field with that of full(); writes a Leg of its own in hex. */
#include <stdio.h>
#include <stdlib.h>

#include "generated.h"

#define CHECK(condition) \
    if (!(condition)) { \
        printf("%s is wrong\n", #condition); \
        return 1; \
    }

static bool is(slr_text text, const char *wanted) {
    return text.length == strlen(wanted) && memcmp(text.bytes, wanted, text.length) == 0;
}

static int check(const All *all) {
    CHECK(all->flag && all->small == -3 && all->medium == -300 && all->letter == 0xe9 && all->number == -70000);
    CHECK(all->big == INT64_MIN && all->real == 1.5f && all->wide == 0x1.921fb54442d18p1 && all->price == -1234);
    CHECK(all->side == Side_None && all->at.seconds == -5 && all->at.nanos == 7);
    CHECK(all->took.seconds == -1 && all->took.nanos == 999999999 && all->day == -1);
    CHECK(all->key.most == UINT64_MAX && all->key.least == 2);
    CHECK(all->exact[0] == 1 && all->exact[1] == -2 && all->exact[2] == 3);
    CHECK(all->has_maybe && all->maybe == -9 && all->has_perhaps && all->perhaps == Side_SELL);
    CHECK(is(all->from, "from") && all->has_note && is(all->note, ""));
    CHECK(all->data.count == 3 && all->data.items[0] == 255 && all->data.items[2] == 1);
    CHECK(all->letters.count == 2 && all->letters.items[0] == 'a' && all->letters.items[1] == 0xe9);
    CHECK(all->values.count == 2 && all->values.items[0] == 0.5 && all->values.items[1] == -0.5);
    CHECK(all->numbers.count == 2 && all->numbers.items[1] == -1);
    CHECK(all->sides.count == 2 && all->sides.items[0] == Side_SELL && all->sides.items[1] == Side_BUY);
    CHECK(all->words.count == 3 && is(all->words.items[0], "") && is(all->words.items[1], "a"));
    CHECK(all->pages.count == 2 && all->pages.items[0].count == 0 && all->pages.items[1].count == 2);
    CHECK(is(all->pages.items[1].items[0], "b"));
    CHECK(all->legs.count == 2 && all->legs.items[0].ratio == -1 && is(all->legs.items[0].name, "é€😀"));
    CHECK(all->legs.items[0].has_next && all->legs.items[0].next->ratio == 2 && !all->legs.items[0].next->has_next);
    CHECK(all->legs.items[1].ratio == 3 && !all->legs.items[1].has_next && all->legs.items[1].next == NULL);
    CHECK(all->has_more && all->more.count == 0);
    CHECK(all->shapes.count == 2 && all->shapes.items[0].kind == Shape_Circle);
    CHECK(all->shapes.items[0].Circle->radius == 2 && all->shapes.items[1].kind == Shape_Square);
    CHECK(is(all->shapes.items[1].Square->names.items[0], "s"));
    CHECK(all->shape.kind == Shape_Square && all->shape.Square->names.count == 0 && all->nothing != NULL);
    return 0;
}

int main(void) {
    static max_align_t room[512];
    unsigned char message[4096];
    unsigned char out[4096];
    size_t length = fread(message, 1, sizeof message, stdin);
    slr_memory memory = {room, sizeof room, 0};
    slr_error error;
    All all;
    CHECK(All_read(&all, message, length, &memory, &error) == SLR_OK);
    CHECK(memory.used > 0 && memory.used <= sizeof room);
    if (check(&all) != 0) {
        return 1;
    }

    Leg inner = {.ratio = 7, .name = slr_text_of("inner")};
    Leg outer = {.ratio = 8, .has_next = true, .next = &inner};
    CHECK(Leg_write(&outer, out, sizeof out, &length, NULL) == SLR_OK);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", out[i]);
    }
    printf("\n");

    CHECK(Leg_read(&outer, out, length, NULL, &error) == SLR_NO_ROOM);
    CHECK(Leg_write(&inner, out, 20, &length, &error) == SLR_NO_ROOM && length == 0);
    inner.name = (slr_text) {"\xff", 1};
    CHECK(Leg_write(&inner, out, sizeof out, &length, &error) == SLR_INVALID);
    CHECK(strcmp(error.record, "Leg") == 0 && strcmp(error.field, "name") == 0);
    inner.has_next = true;
    inner.name.length = 0;
    inner.next = &inner;
    CHECK(Leg_write(&inner, out, sizeof out, &length, &error) == SLR_INVALID);
    CHECK(strcmp(error.what, "is nested deeper than 64 records") == 0);
    all.side = (Side) 3;
    CHECK(All_write(&all, out, sizeof out, &length, &error) == SLR_INVALID);
    all.side = Side_BUY;
    all.at.nanos = -1;
    CHECK(All_write(&all, out, sizeof out, &length, &error) == SLR_INVALID);
    CHECK(strcmp(error.field, "at") == 0);
    all.at.nanos = 0;
    all.nothing = NULL;
    CHECK(All_write(&all, out, sizeof out, &length, &error) == SLR_INVALID);
    CHECK(strcmp(error.field, "nothing") == 0);
    return 0;
}
