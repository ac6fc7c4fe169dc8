/*
 * Reads lines of a name and bytes in hex, and prints the bytes of each, written anew, or why it cannot; see CHeaderTest.
 * "records.inc" has a line RECORD(name) for each. Every block is exactly as long as what it holds, so that the sanitizer
 * sees each byte beyond; memory and room grow from nothing, so that each place that needs some finds too little once.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "generated.h"

static void *grown(void *block, size_t *size) {
    *size = *size * 2 + 8;
    free(block);
    return malloc(*size);
}

static void complain(const slr_error *error) {
    printf("- %d %s.%s at byte %zu: %s\n", error->code, error->record, error->field, error->at, error->what);
}

#define RECORD(name) \
    static void echo_##name(const unsigned char *message, size_t length) { \
        name value; \
        slr_error error; \
        slr_memory memory = {NULL, 0, 0}; \
        unsigned char *out = NULL; \
        size_t room = 0; \
        size_t written; \
        while (name##_read(&value, message, length, &memory, &error) == SLR_NO_ROOM) { \
            memory.bytes = grown(memory.bytes, &memory.size); \
        } \
        if (error.code == SLR_OK) { \
            while (name##_write(&value, out, room, &written, &error) == SLR_NO_ROOM) { \
                out = grown(out, &room); \
            } \
        } \
        if (error.code == SLR_OK) { \
            for (size_t i = 0; i < written; i++) { \
                printf("%02x", out[i]); \
            } \
            printf("\n"); \
        } else { \
            complain(&error); \
        } \
        free(out); \
        free(memory.bytes); \
    }
#include "records.inc"
#undef RECORD

static unsigned char digit(char c) {
    return (unsigned char) (c <= '9' ? c - '0' : c - 'a' + 10);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *name = strtok(line, " \n");
        const char *hex = strtok(NULL, " \n");
        size_t length = hex == NULL ? 0 : strlen(hex) / 2;
        unsigned char *message = length == 0 ? NULL : malloc(length);
        for (size_t i = 0; i < length; i++) {
            message[i] = (unsigned char) (digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
        }
#define RECORD(type) if (strcmp(name, #type) == 0) { echo_##type(message, length); }
#include "records.inc"
        free(message);
    }
    free(line);
    return 0;
}
