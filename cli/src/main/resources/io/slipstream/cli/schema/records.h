/*
 * How records are read and written; the same in each header. Names that begin with slr_ or SLR_ are its own.
 *
 * A message is read as a whole and checked to the last byte, as docs/data-format.md says: what is cut, damaged or
 * hostile returns an error, and nothing is read or written beyond the lengths that were given. Nothing is allocated.
 * No function has a state of its own: any thread may call any.
 */
#ifndef SLR_RECORDS
#define SLR_RECORDS

#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "messages are little-endian, and this machine is not"
#endif

/* What reading and writing return. */
enum {
    SLR_OK = 0,
    SLR_DAMAGED = -1, /* the bytes are no value of the schema */
    SLR_INVALID = -2, /* the value does not fit the schema */
    SLR_NO_ROOM = -3  /* it needs more memory, or more room for the message */
};

/* Why it failed: texts that always live, empty where they say nothing. The byte is counted from the message's first. */
typedef struct {
    const char *record, *field, *what;
    size_t at;
    int code;
} slr_error;

/* Where lists and nested records are put: {bytes, size, 0}. It may be reused once they are not needed any more. */
typedef struct {
    void *bytes;
    size_t size, used;
} slr_memory;

/* UTF-8, with no zero behind it. One that was read lies in the message. */
typedef struct {
    const char *bytes;
    size_t length;
} slr_text;

/* A byte[]. One that was read lies in the message. */
typedef struct {
    size_t count;
    const uint8_t *items;
} slr_bytes;

/* An instant, since 1970, or a duration. Nanoseconds are from 0 to 999,999,999. */
typedef struct {
    int64_t seconds;
    int32_t nanos;
} slr_time;

typedef struct {
    uint64_t most, least;
} slr_uuid;

/* Returns a text that ends with a zero. */
static inline slr_text slr_text_of(const char *text) {
    return (slr_text) {text, strlen(text)};
}

/*
 * What follows is for the generated functions. Every list looks like slr_list, and every union like slr_choice.
 */

#define SLR_HEADER_BYTES 8
#define SLR_REFERENCE_BYTES 4
#define SLR_DEEPEST 64
#define SLR_ALWAYS ((size_t) -1)

typedef struct {
    size_t count;
    const void *items;
} slr_list;

typedef struct {
    int kind;
    const void *record;
} slr_choice;

typedef enum {
    SLR_BOOLEAN,
    SLR_RAW, /* looks the same in the message and in memory */
    SLR_INSTANT,
    SLR_DURATION,
    SLR_ENUM,
    SLR_ARRAY, /* the last one that lies in the block as a whole */
    SLR_TEXT,
    SLR_LIST,
    SLR_PARTS,
    SLR_STRUCTS,
    SLR_RECORD,
    SLR_UNION
} slr_form;

typedef struct slr_layout slr_layout;
typedef struct slr_type slr_type;

struct slr_type {
    slr_form form;
    uint32_t slot;                    /* bytes in the block */
    size_t bytes;                     /* of the value in C */
    uint32_t most;                    /* bytes or elements, 0 for any; constants; elements of an array; variants */
    const slr_type *element;          /* of arrays and lists */
    const slr_layout *const *records; /* the record, or the variants */
};

typedef struct {
    uint16_t block, fingerprint;
} slr_version;

typedef struct {
    const char *name;
    const slr_type *type;
    uint32_t slot;      /* offset in the block */
    int32_t bit;        /* of the block that is set if it is present, or -1 */
    uint16_t since;
    size_t place;       /* offset in the struct */
    size_t has;         /* offset of the bool that says whether it is present, or SLR_ALWAYS */
    const void *preset; /* its value for older messages, or NULL for the empty one */
} slr_field;

struct slr_layout {
    const char *name;
    uint16_t id, version;
    const slr_version *versions;
    size_t bytes; /* of the struct */
    const slr_field *fields;
    size_t count;
};

static const slr_type slr_boolean_type = {SLR_BOOLEAN, 1, sizeof(bool), 0, NULL, NULL};
static const slr_type slr_byte_type = {SLR_RAW, 1, 1, 0, NULL, NULL};
static const slr_type slr_short_type = {SLR_RAW, 2, 2, 0, NULL, NULL};
static const slr_type slr_char_type = {SLR_RAW, 2, 2, 0, NULL, NULL};
static const slr_type slr_int_type = {SLR_RAW, 4, 4, 0, NULL, NULL};
static const slr_type slr_long_type = {SLR_RAW, 8, 8, 0, NULL, NULL};
static const slr_type slr_float_type = {SLR_RAW, 4, sizeof(float), 0, NULL, NULL};
static const slr_type slr_double_type = {SLR_RAW, 8, sizeof(double), 0, NULL, NULL};
static const slr_type slr_decimal_type = {SLR_RAW, 8, 8, 0, NULL, NULL};
static const slr_type slr_instant_type = {SLR_INSTANT, 12, sizeof(slr_time), 0, NULL, NULL};
static const slr_type slr_duration_type = {SLR_DURATION, 12, sizeof(slr_time), 0, NULL, NULL};
static const slr_type slr_date_type = {SLR_RAW, 4, 4, 0, NULL, NULL};
static const slr_type slr_uuid_type = {SLR_RAW, 16, sizeof(slr_uuid), 0, NULL, NULL};

static inline bool slr_fails(slr_error *error, int code, size_t at, const char *what) {
    *error = (slr_error) {"", "", what, at, code};
    return false;
}

/* The innermost record and field are those that the error names. */
static inline bool slr_fails_in(slr_error *error, const slr_layout *layout, const char *field) {
    if (*error->record == 0) {
        error->record = layout->name;
        error->field = field;
    }
    return false;
}

static inline bool slr_is_fixed(const slr_type *type) {
    return type->form <= SLR_ARRAY;
}

static inline bool slr_is_record(const slr_type *type) {
    return type->form == SLR_RECORD || type->form == SLR_UNION;
}

/* Neither overlong forms nor surrogates: Unicode 15, table 3-7. */
static inline bool slr_is_utf8(const unsigned char *bytes, size_t length) {
    size_t i = 0;
    while (i < length) {
        unsigned first = bytes[i];
        size_t size = first < 0x80 ? 1
                : first >= 0xc2 && first <= 0xdf ? 2
                : first >= 0xe0 && first <= 0xef ? 3
                : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
        if (size == 0 || size > length - i) {
            return false;
        }
        if (size > 1) {
            unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (bytes[i + 1] < low || bytes[i + 1] > high) {
                return false;
            }
        }
        for (size_t j = 2; j < size; j++) {
            if ((bytes[i + j] & 0xc0) != 0x80) {
                return false;
            }
        }
        i += size;
    }
    return true;
}

/* The seconds of an instant are those of the years -1,000,000,000 to 1,000,000,000. */
static inline bool slr_is_time(const slr_type *type, const slr_time *time) {
    return time->nanos >= 0 && time->nanos < 1000000000
            && (type->form == SLR_DURATION
                    || (time->seconds >= INT64_C(-31557014167219200) && time->seconds <= INT64_C(31556889864403199)));
}

/*
 * Reading. Parts lie one behind the other: none begins before the end of the last, so no byte is read into two values.
 */

typedef struct {
    const unsigned char *data;
    size_t length, cursor;
    int depth;
    slr_memory *memory;
    slr_error *error;
} slr_input;

static inline bool slr_read_part(slr_input *in, const slr_type *type, size_t start, void *to);

/* Returns bytes of the message, or NULL if it ends before; nothing else touches it. */
static inline const unsigned char *slr_at(slr_input *in, size_t at, uint64_t bytes) {
    if (at > in->length || bytes > in->length - at) {
        slr_fails(in->error, SLR_DAMAGED, at, "the message ends within it");
        return NULL;
    }
    return in->data + at;
}

/* Returns memory for so many values of a size, or NULL if there is too little. */
static inline void *slr_take(slr_input *in, size_t count, size_t bytes, size_t at) {
    slr_memory *memory = in->memory;
    size_t gap = (size_t) -((uintptr_t) memory->bytes + memory->used) & (alignof(max_align_t) - 1);
    size_t room = memory->size - memory->used;
    if (memory->bytes == NULL || gap > room || count > (room - gap) / bytes) {
        slr_fails(in->error, SLR_NO_ROOM, at, "there is too little memory for what the message has");
        return NULL;
    }
    unsigned char *taken = (unsigned char *) memory->bytes + memory->used + gap;
    memory->used += gap + count * bytes;
    return taken;
}

static inline bool slr_read_int(slr_input *in, size_t at, int32_t *value) {
    const unsigned char *from = slr_at(in, at, sizeof *value);
    if (from == NULL) {
        return false;
    }
    memcpy(value, from, sizeof *value);
    return true;
}

/* Reads the number that a part begins with, of elements that take at least that size. */
static inline bool slr_read_count(slr_input *in, size_t start, size_t size, uint32_t most, size_t *count) {
    int32_t number;
    if (!slr_read_int(in, start, &number)) {
        return false;
    }
    if (number < 0 || (uint64_t) number * size > in->length - start - sizeof number) {
        return slr_fails(in->error, SLR_DAMAGED, start, "has more elements than the message has room for");
    }
    if (most != 0 && (uint32_t) number > most) {
        return slr_fails(in->error, SLR_DAMAGED, start, "has more elements than its limit");
    }
    *count = (size_t) number;
    return true;
}

static inline bool slr_enter(slr_input *in, size_t at) {
    if (in->depth >= SLR_DEEPEST) {
        return slr_fails(in->error, SLR_DAMAGED, at, "is nested deeper than 64 records");
    }
    in->depth++;
    return true;
}

static inline bool slr_read_fixed(slr_input *in, const slr_type *type, size_t at, void *to) {
    const unsigned char *from = slr_at(in, at, type->slot);
    if (from == NULL) {
        return false;
    }
    if (type->form == SLR_RAW) {
        memcpy(to, from, type->slot);
    } else if (type->form == SLR_BOOLEAN) {
        bool value = from[0] != 0;
        memcpy(to, &value, sizeof value);
    } else if (type->form == SLR_ENUM) {
        uint32_t index = 0;
        memcpy(&index, from, type->slot);
        if (index >= type->most) {
            return slr_fails(in->error, SLR_DAMAGED, at, "is a constant that the enum does not have");
        }
        memcpy(to, &index, type->bytes);
    } else if (type->form == SLR_ARRAY) {
        const slr_type *element = type->element;
        for (size_t i = 0; i < type->most; i++) {
            if (!slr_read_fixed(in, element, at + i * element->slot, (unsigned char *) to + i * element->bytes)) {
                return false;
            }
        }
    } else {
        slr_time time = {0, 0};
        memcpy(&time.seconds, from, sizeof time.seconds);
        memcpy(&time.nanos, from + sizeof time.seconds, sizeof time.nanos);
        if (!slr_is_time(type, &time)) {
            return slr_fails(in->error, SLR_DAMAGED, at, "is beyond the first or last time, or of no nanosecond");
        }
        memcpy(to, &time, sizeof time);
    }
    return true;
}

/* The value that says nothing. */
static inline void slr_clear(const slr_type *type, void *to) {
    memset(to, 0, type->bytes);
    if (type->form == SLR_TEXT) {
        slr_text none = {"", 0};
        memcpy(to, &none, sizeof none);
    }
}

/* Reads what a slot says the beginning of; sets whether it is present. */
static inline bool slr_read_slot(
        slr_input *in, size_t slot, const slr_type *type, bool optional, void *to, bool *present) {
    int32_t start;
    if (!slr_read_int(in, slot, &start)) {
        return false;
    }
    *present = start != 0;
    if (start == 0) {
        slr_clear(type, to);
        return optional || !slr_is_record(type) || slr_fails(in->error, SLR_DAMAGED, slot, "is missing");
    }
    if (start < 0 || (size_t) start < in->cursor || (size_t) start > in->length) {
        return slr_fails(in->error, SLR_DAMAGED, slot, "begins within what lies before it, or beyond the message");
    }
    return slr_read_part(in, type, (size_t) start, to);
}

static inline bool slr_read_field(
        slr_input *in, const slr_field *field, size_t block, uint16_t version, unsigned char *record) {
    const slr_type *type = field->type;
    void *to = record + field->place;
    bool optional = field->has != SLR_ALWAYS;
    bool present = true;
    if (field->since > version) {
        present = field->preset != NULL;
        if (present) {
            memcpy(to, field->preset, type->bytes);
        } else {
            slr_clear(type, to);
        }
    } else if (!slr_is_fixed(type)) {
        if (!slr_read_slot(in, block + field->slot, type, optional, to, &present)) {
            return false;
        }
    } else {
        if (field->bit >= 0) {
            const unsigned char *bits = slr_at(in, block + (size_t) (field->bit >> 3), 1);
            if (bits == NULL) {
                return false;
            }
            present = (*bits >> (field->bit & 7) & 1) != 0;
        }
        if (present && !slr_read_fixed(in, type, block + field->slot, to)) {
            return false;
        }
    }
    if (optional) {
        memcpy(record + field->has, &present, sizeof present);
    }
    return true;
}

static inline bool slr_read_record(
        slr_input *in, const slr_layout *layout, size_t block, uint16_t version, void *to) {
    memset(to, 0, layout->bytes);
    for (size_t i = 0; i < layout->count; i++) {
        if (!slr_read_field(in, &layout->fields[i], block, version, to)) {
            return slr_fails_in(in->error, layout, layout->fields[i].name);
        }
    }
    return true;
}

/* Reads version and length of the block, unless the header is that of something else. */
static inline bool slr_read_header(
        slr_input *in, const slr_layout *layout, size_t start, uint16_t *version, uint16_t *block) {
    const unsigned char *from = slr_at(in, start, SLR_HEADER_BYTES);
    uint16_t header[4]; /* type, version, length of the block, fingerprint */
    if (from == NULL) {
        return slr_fails_in(in->error, layout, "");
    }
    memcpy(header, from, sizeof header);
    *version = header[1];
    *block = header[2];
    const char *wrong = NULL;
    if (header[0] != layout->id) {
        wrong = "the bytes are of another type";
    } else if (header[1] == 0) {
        wrong = "the bytes are of version 0, but versions count from 1";
    } else if (header[1] > layout->version) {
        wrong = header[2] < layout->versions[layout->version - 1].block
                ? "the bytes are of a newer version, but their block is too short" : NULL;
    } else if (header[2] != layout->versions[header[1] - 1].block
            || header[3] != layout->versions[header[1] - 1].fingerprint) {
        wrong = "the bytes are of another schema";
    }
    if (wrong != NULL) {
        slr_fails(in->error, SLR_DAMAGED, start, wrong);
        return slr_fails_in(in->error, layout, "");
    }
    return true;
}

static inline bool slr_read_whole(slr_input *in, const slr_layout *layout, size_t start, void *to) {
    uint16_t version;
    uint16_t bytes;
    size_t block = start + SLR_HEADER_BYTES;
    if (!slr_read_header(in, layout, start, &version, &bytes)) {
        return false;
    }
    if (slr_at(in, block, bytes) == NULL) {
        return slr_fails_in(in->error, layout, "");
    }
    in->cursor = block + bytes;
    return slr_read_record(in, layout, block, version, to);
}

static inline bool slr_read_text(slr_input *in, const slr_type *type, size_t start, void *to) {
    size_t length;
    if (!slr_read_count(in, start, 1, type->most, &length)) {
        return false;
    }
    size_t at = start + sizeof(int32_t);
    const unsigned char *bytes = slr_at(in, at, length);
    if (bytes == NULL) {
        return false;
    }
    if (!slr_is_utf8(bytes, length)) {
        return slr_fails(in->error, SLR_DAMAGED, at, "is not UTF-8");
    }
    slr_text text = {(const char *) bytes, length};
    memcpy(to, &text, sizeof text);
    in->cursor = at + length;
    return true;
}

static inline bool slr_read_list(slr_input *in, const slr_type *type, size_t start, void *to) {
    const slr_type *element = type->element;
    slr_list list = {0, NULL};
    if (!slr_read_count(in, start, element->slot, type->most, &list.count)) {
        return false;
    }
    size_t at = start + sizeof(int32_t);
    in->cursor = at + list.count * element->slot;
    if (element->form == SLR_RAW && element->slot == 1) {
        list.items = slr_at(in, at, list.count);
    } else if (list.count > 0) {
        unsigned char *items = slr_take(in, list.count, element->bytes, start);
        if (items == NULL) {
            return false;
        }
        for (size_t i = 0; i < list.count; i++) {
            if (!slr_read_fixed(in, element, at + i * element->slot, items + i * element->bytes)) {
                return false;
            }
        }
        list.items = items;
    }
    memcpy(to, &list, sizeof list);
    return true;
}

static inline bool slr_read_parts(slr_input *in, const slr_type *type, size_t start, void *to) {
    const slr_type *element = type->element;
    slr_list list = {0, NULL};
    if (!slr_read_count(in, start, SLR_REFERENCE_BYTES, type->most, &list.count)) {
        return false;
    }
    size_t slot = start + sizeof(int32_t);
    in->cursor = slot + list.count * SLR_REFERENCE_BYTES;
    if (list.count > 0) {
        unsigned char *items = slr_take(in, list.count, element->bytes, start);
        if (items == NULL) {
            return false;
        }
        for (size_t i = 0; i < list.count; i++) {
            bool present;
            if (!slr_read_slot(in, slot + i * SLR_REFERENCE_BYTES, element, false, items + i * element->bytes,
                    &present)) {
                return false;
            }
        }
        list.items = items;
    }
    memcpy(to, &list, sizeof list);
    return true;
}

static inline bool slr_read_structs(slr_input *in, const slr_type *type, size_t start, void *to) {
    const slr_layout *layout = *type->element->records;
    slr_list list = {0, NULL};
    uint16_t version;
    uint16_t bytes;
    if (!slr_read_header(in, layout, start + sizeof(int32_t), &version, &bytes)) {
        return false;
    }
    size_t size = bytes == 0 ? 1 : bytes;
    if (!slr_read_count(in, start, size, type->most, &list.count)) {
        return false;
    }
    size_t block = start + sizeof(int32_t) + SLR_HEADER_BYTES;
    if (slr_at(in, block, (uint64_t) list.count * size) == NULL || !slr_enter(in, start)) {
        return false;
    }
    in->cursor = block + list.count * size;
    if (list.count > 0) {
        unsigned char *items = slr_take(in, list.count, layout->bytes, start);
        if (items == NULL) {
            return false;
        }
        for (size_t i = 0; i < list.count; i++) {
            if (!slr_read_record(in, layout, block + i * size, version, items + i * layout->bytes)) {
                return false;
            }
        }
        list.items = items;
    }
    in->depth--;
    memcpy(to, &list, sizeof list);
    return true;
}

/* Reads a record of one of the types: of the only one, or of that which its header names. */
static inline bool slr_read_one(slr_input *in, const slr_type *type, size_t start, void *to) {
    slr_choice choice = {0, NULL};
    if (type->form == SLR_UNION) {
        const unsigned char *header = slr_at(in, start, SLR_HEADER_BYTES);
        uint16_t id;
        if (header == NULL) {
            return false;
        }
        memcpy(&id, header, sizeof id);
        while ((uint32_t) choice.kind < type->most && type->records[choice.kind]->id != id) {
            choice.kind++;
        }
        if ((uint32_t) choice.kind == type->most) {
            return slr_fails(in->error, SLR_DAMAGED, start, "is none of the records that it can be");
        }
    }
    const slr_layout *layout = type->records[choice.kind];
    void *record = slr_take(in, 1, layout->bytes, start);
    if (record == NULL || !slr_enter(in, start) || !slr_read_whole(in, layout, start, record)) {
        return false;
    }
    in->depth--;
    choice.record = record;
    if (type->form == SLR_UNION) {
        memcpy(to, &choice, sizeof choice);
    } else {
        memcpy(to, &choice.record, sizeof choice.record);
    }
    return true;
}

static inline bool slr_read_part(slr_input *in, const slr_type *type, size_t start, void *to) {
    return type->form == SLR_TEXT ? slr_read_text(in, type, start, to)
            : type->form == SLR_LIST ? slr_read_list(in, type, start, to)
            : type->form == SLR_PARTS ? slr_read_parts(in, type, start, to)
            : type->form == SLR_STRUCTS ? slr_read_structs(in, type, start, to)
            : slr_read_one(in, type, start, to);
}

/* Reads a message of a record, or of one of the records of a union. Memory and error may be NULL. */
static inline int slr_read(
        const slr_type *type, void *to, const void *message, size_t length, slr_memory *memory, slr_error *error) {
    slr_error failure = {"", "", "", 0, SLR_OK};
    slr_memory none = {NULL, 0, 0};
    slr_memory *taken = memory == NULL ? &none : memory;
    size_t used = taken->used;
    slr_input in = {message, length, 0, 0, taken, &failure};
    if (length > INT32_MAX) {
        slr_fails(&failure, SLR_DAMAGED, 0, "the message is longer than 2,147,483,647 bytes");
    } else if (type->form == SLR_RECORD) {
        slr_read_whole(&in, *type->records, 0, to);
    } else {
        in.depth = -1; /* the outermost record is not nested */
        slr_read_one(&in, type, 0, to);
    }
    if (failure.code != SLR_OK) {
        taken->used = used;
    }
    if (error != NULL) {
        *error = failure;
    }
    return failure.code;
}

/*
 * Writing. Blocks lie where they are written, and parts are appended at the end.
 */

typedef struct {
    unsigned char *data;
    size_t room, end;
    int depth;
    slr_error *error;
} slr_output;

static inline bool slr_write_part(slr_output *out, const slr_type *type, const void *from);

/* Appends zeros, and says where. */
static inline bool slr_extend(slr_output *out, uint64_t bytes, size_t *at) {
    if (bytes > INT32_MAX - out->end) {
        return slr_fails(out->error, SLR_INVALID, out->end, "the message would be longer than 2,147,483,647 bytes");
    }
    if (bytes > out->room - out->end) {
        return slr_fails(out->error, SLR_NO_ROOM, out->end, "there is too little room for the message");
    }
    *at = out->end;
    memset(out->data + out->end, 0, (size_t) bytes);
    out->end += (size_t) bytes;
    return true;
}

/* Appends the number of elements, and room for them behind so many more bytes; says where the number lies. */
static inline bool slr_write_count(
        slr_output *out, const slr_list *list, const slr_type *type, size_t more, size_t each, size_t *at) {
    if (list->count > INT32_MAX || (type->most != 0 && list->count > type->most)) {
        return slr_fails(out->error, SLR_INVALID, out->end, "is longer than its limit");
    }
    if (list->items == NULL && list->count > 0) {
        return slr_fails(out->error, SLR_INVALID, out->end, "has elements, but points to none");
    }
    int32_t number = (int32_t) list->count;
    if (!slr_extend(out, sizeof number + more + (uint64_t) list->count * each, at)) {
        return false;
    }
    memcpy(out->data + *at, &number, sizeof number);
    return true;
}

static inline bool slr_descend(slr_output *out) {
    if (out->depth >= SLR_DEEPEST) {
        return slr_fails(out->error, SLR_INVALID, out->end, "is nested deeper than 64 records");
    }
    out->depth++;
    return true;
}

static inline bool slr_write_fixed(slr_output *out, const slr_type *type, size_t at, const void *from) {
    unsigned char *to = out->data + at;
    if (type->form == SLR_RAW) {
        memcpy(to, from, type->slot);
    } else if (type->form == SLR_BOOLEAN) {
        *to = *(const unsigned char *) from != 0;
    } else if (type->form == SLR_ENUM) {
        uint32_t index = 0;
        memcpy(&index, from, type->bytes);
        if (index >= type->most) {
            return slr_fails(out->error, SLR_INVALID, at, "is a constant that the enum does not have");
        }
        memcpy(to, &index, type->slot);
    } else if (type->form == SLR_ARRAY) {
        const slr_type *element = type->element;
        for (size_t i = 0; i < type->most; i++) {
            if (!slr_write_fixed(out, element, at + i * element->slot,
                    (const unsigned char *) from + i * element->bytes)) {
                return false;
            }
        }
    } else {
        slr_time time;
        memcpy(&time, from, sizeof time);
        if (!slr_is_time(type, &time)) {
            return slr_fails(out->error, SLR_INVALID, at, "is beyond the first or last time, or of no nanosecond");
        }
        memcpy(to, &time.seconds, sizeof time.seconds);
        memcpy(to + sizeof time.seconds, &time.nanos, sizeof time.nanos);
    }
    return true;
}

static inline bool slr_is_empty(const slr_type *type, const void *from) {
    slr_text text;
    slr_list list;
    if (type->form == SLR_TEXT) {
        memcpy(&text, from, sizeof text);
        return text.length == 0;
    }
    if (slr_is_record(type)) {
        return false;
    }
    memcpy(&list, from, sizeof list);
    return list.count == 0;
}

/* Appends a part and says in its slot where it begins; what is empty needs neither, unless it is optional. */
static inline bool slr_write_slot(
        slr_output *out, size_t slot, const slr_type *type, bool optional, const void *from) {
    if (!optional && slr_is_empty(type, from)) {
        return true;
    }
    int32_t start = (int32_t) out->end;
    memcpy(out->data + slot, &start, sizeof start);
    return slr_write_part(out, type, from);
}

static inline bool slr_write_field(
        slr_output *out, const slr_field *field, size_t block, const unsigned char *record) {
    bool optional = field->has != SLR_ALWAYS;
    if (optional && record[field->has] == 0) {
        return true;
    }
    if (!slr_is_fixed(field->type)) {
        return slr_write_slot(out, block + field->slot, field->type, optional, record + field->place);
    }
    if (field->bit >= 0) {
        out->data[block + (size_t) (field->bit >> 3)] |= (unsigned char) (1 << (field->bit & 7));
    }
    return slr_write_fixed(out, field->type, block + field->slot, record + field->place);
}

static inline bool slr_write_record(slr_output *out, const slr_layout *layout, size_t block, const void *from) {
    for (size_t i = 0; i < layout->count; i++) {
        if (!slr_write_field(out, &layout->fields[i], block, from)) {
            return slr_fails_in(out->error, layout, layout->fields[i].name);
        }
    }
    return true;
}

static inline void slr_write_header(slr_output *out, const slr_layout *layout, size_t at) {
    const slr_version *newest = &layout->versions[layout->version - 1];
    uint16_t header[4] = {layout->id, layout->version, newest->block, newest->fingerprint};
    memcpy(out->data + at, header, sizeof header);
}

static inline bool slr_write_whole(slr_output *out, const slr_layout *layout, const void *from) {
    size_t at;
    if (!slr_extend(out, SLR_HEADER_BYTES + (uint64_t) layout->versions[layout->version - 1].block, &at)) {
        return slr_fails_in(out->error, layout, "");
    }
    slr_write_header(out, layout, at);
    return slr_write_record(out, layout, at + SLR_HEADER_BYTES, from);
}

static inline bool slr_write_text(slr_output *out, const slr_type *type, const void *from) {
    slr_text text;
    memcpy(&text, from, sizeof text);
    slr_list bytes = {text.length, text.bytes};
    size_t at;
    if (!slr_write_count(out, &bytes, type, 0, 1, &at)) {
        return false;
    }
    if (!slr_is_utf8((const unsigned char *) text.bytes, text.length)) {
        return slr_fails(out->error, SLR_INVALID, at, "is not UTF-8");
    }
    if (text.length > 0) {
        memcpy(out->data + at + sizeof(int32_t), text.bytes, text.length);
    }
    return true;
}

static inline bool slr_write_list(slr_output *out, const slr_type *type, const void *from) {
    const slr_type *element = type->element;
    slr_list list;
    size_t at;
    memcpy(&list, from, sizeof list);
    if (!slr_write_count(out, &list, type, 0, element->slot, &at)) {
        return false;
    }
    const unsigned char *items = list.items;
    for (size_t i = 0; i < list.count; i++) {
        if (!slr_write_fixed(out, element, at + sizeof(int32_t) + i * element->slot, items + i * element->bytes)) {
            return false;
        }
    }
    return true;
}

static inline bool slr_write_parts(slr_output *out, const slr_type *type, const void *from) {
    const slr_type *element = type->element;
    slr_list list;
    size_t at;
    memcpy(&list, from, sizeof list);
    if (!slr_write_count(out, &list, type, 0, SLR_REFERENCE_BYTES, &at)) {
        return false;
    }
    const unsigned char *items = list.items;
    for (size_t i = 0; i < list.count; i++) {
        size_t slot = at + sizeof(int32_t) + i * SLR_REFERENCE_BYTES;
        if (!slr_write_slot(out, slot, element, false, items + i * element->bytes)) {
            return false;
        }
    }
    return true;
}

static inline bool slr_write_structs(slr_output *out, const slr_type *type, const void *from) {
    const slr_layout *layout = *type->element->records;
    size_t size = layout->versions[layout->version - 1].block;
    slr_list list;
    size_t at;
    memcpy(&list, from, sizeof list);
    if (!slr_write_count(out, &list, type, SLR_HEADER_BYTES, size, &at) || !slr_descend(out)) {
        return false;
    }
    slr_write_header(out, layout, at + sizeof(int32_t));
    size_t block = at + sizeof(int32_t) + SLR_HEADER_BYTES;
    const unsigned char *items = list.items;
    for (size_t i = 0; i < list.count; i++) {
        if (!slr_write_record(out, layout, block + i * size, items + i * layout->bytes)) {
            return false;
        }
    }
    out->depth--;
    return true;
}

static inline bool slr_write_one(slr_output *out, const slr_type *type, const void *from) {
    slr_choice choice = {0, NULL};
    if (type->form == SLR_UNION) {
        memcpy(&choice, from, sizeof choice);
    } else {
        memcpy(&choice.record, from, sizeof choice.record);
    }
    if (choice.record == NULL) {
        return slr_fails(out->error, SLR_INVALID, out->end, "is missing");
    }
    if (type->form == SLR_UNION && (choice.kind < 0 || (uint32_t) choice.kind >= type->most)) {
        return slr_fails(out->error, SLR_INVALID, out->end, "is none of the records that it can be");
    }
    if (!slr_descend(out) || !slr_write_whole(out, type->records[choice.kind], choice.record)) {
        return false;
    }
    out->depth--;
    return true;
}

static inline bool slr_write_part(slr_output *out, const slr_type *type, const void *from) {
    return type->form == SLR_TEXT ? slr_write_text(out, type, from)
            : type->form == SLR_LIST ? slr_write_list(out, type, from)
            : type->form == SLR_PARTS ? slr_write_parts(out, type, from)
            : type->form == SLR_STRUCTS ? slr_write_structs(out, type, from)
            : slr_write_one(out, type, from);
}

/* Writes a message of a record, or of one of the records of a union, and sets its length. The error may be NULL. */
static inline int slr_write(
        const slr_type *type, const void *from, void *message, size_t room, size_t *length, slr_error *error) {
    slr_error failure = {"", "", "", 0, SLR_OK};
    slr_output out = {message, room, 0, 0, &failure};
    if (type->form == SLR_RECORD) {
        slr_write_whole(&out, *type->records, from);
    } else {
        out.depth = -1; /* the outermost record is not nested */
        slr_write_one(&out, type, from);
    }
    *length = failure.code == SLR_OK ? out.end : 0;
    if (error != NULL) {
        *error = failure;
    }
    return failure.code;
}

#endif
