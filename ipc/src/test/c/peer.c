/* The other side of the tests: publishes or checks numbered messages, and dies where it is told to. */
static void slip_point(const char *name);
#define SLIP_POINT(name) slip_point(name)
#include "slipstream_ipc.h"
#include <signal.h>

static const char *die_at;
static long die_hit;

static void slip_point(const char *name) {
    if (die_at != NULL && strcmp(name, die_at) == 0 && --die_hit == 0) {
        raise(SIGKILL);
    }
}

static int64_t length_of(int64_t number, int64_t most) {
    return 8 + (int64_t) (((uint64_t) number * UINT64_C(0x9e3779b97f4a7c15) >> 7) % (uint64_t) (most > 8 ? most - 7
            : 1));
}

static int fail(const slip_channel *channel, const char *what) {
    fprintf(stderr, "%s: %s\n", what, channel->error);
    return 1;
}

static void write_message(slip_publisher *publisher, int64_t number, int64_t length) {
    unsigned char *message;
    while ((message = (unsigned char *) slip_claim(publisher, length)) == NULL) {
        if (!slip_publishes(publisher)) {
            exit(fail(publisher->channel, "publish"));
        }
        struct timespec pause = {0, 1000};
        nanosleep(&pause, NULL);
    }
    memcpy(message, &number, 8);
    for (int64_t i = 8; i < length; i++) {
        message[i] = (unsigned char) (number + i);
    }
    SLIP_POINT("written");
}

static int publish(slip_channel *channel, const char *name, int64_t from, int64_t count, int64_t most) {
    slip_publisher publisher;
    if (slip_publisher_attach(&publisher, channel, name) != SLIP_OK) {
        return fail(channel, "attach");
    }
    for (int64_t number = from; number < from + count; number++) {
        write_message(&publisher, number, length_of(number, most));
        if (number % 7 == 3) {
            slip_abort(&publisher);
            write_message(&publisher, number, length_of(number, most));
        }
        slip_publish(&publisher);
    }
    slip_publisher_detach(&publisher);
    return 0;
}

static int subscribe(slip_channel *channel, const char *name, int kind, int64_t count, int64_t most, int64_t from) {
    slip_subscriber subscriber;
    if (slip_subscriber_attach(&subscriber, channel, name, kind, SLIP_OLDEST, INT64_MAX) != SLIP_OK) {
        return fail(channel, "attach");
    }
    printf("attached\n"), fflush(stdout);
    for (int64_t seen = 0; seen < count; ) {
        const void *message;
        int64_t length;
        int result = slip_poll(&subscriber, &message, &length);
        if (result < 0) {
            return fail(channel, "poll");
        }
        if (result == 0) {
            slip_sleep(&subscriber);
            continue;
        }
        int64_t number;
        memcpy(&number, message, 8);
        from = from < 0 ? number : from;
        if (number != from + seen || length != length_of(number, most)) {
            fprintf(stderr, "message %lld of %lld bytes where %lld was due\n", (long long) number, (long long) length,
                    (long long) (from + seen));
            return 1;
        }
        for (int64_t i = 8; i < length; i++) {
            if (((const unsigned char *) message)[i] != (unsigned char) (number + i)) {
                fprintf(stderr, "message %lld is torn at %lld\n", (long long) number, (long long) i);
                return 1;
            }
        }
        slip_pass(&subscriber, length);
        seen++;
    }
    slip_subscriber_detach(&subscriber);
    printf("seen %lld\n", (long long) count);
    return 0;
}

/*
 * peer publish FILE NAME FROM COUNT MOST | peer subscribe FILE NAME KIND COUNT MOST FROM | peer open FILE
 * peer create FILE CAPACITY MODE PARTIES KEEP
 */
int main(int argc, char **argv) {
    slip_channel channel;
    die_at = getenv("DIE_AT");
    die_hit = getenv("DIE_HIT") == NULL ? 1 : atol(getenv("DIE_HIT"));
    if (argc < 3) {
        return 2;
    }
    if (strcmp(argv[1], "create") == 0 && argc == 7) {
        if (slip_create(&channel, argv[2], atoll(argv[3]), atoi(argv[4]) == 2, atoi(argv[5]), atoi(argv[6]) == 1)
                != SLIP_OK) {
            printf("%s\n", channel.error);
            return 4;
        }
        return 0;
    }
    if (slip_open(&channel, argv[2]) != SLIP_OK) {
        fprintf(stderr, "%s\n", channel.error);
        return 3;
    }
    int result = 0;
    if (strcmp(argv[1], "publish") == 0 && argc == 7) {
        result = publish(&channel, argv[3], atoll(argv[4]), atoll(argv[5]), atoll(argv[6]));
    } else if (strcmp(argv[1], "subscribe") == 0 && argc == 8) {
        result = subscribe(&channel, argv[3], atoi(argv[4]), atoll(argv[5]), atoll(argv[6]), atoll(argv[7]));
    }
    slip_close(&channel);
    return result;
}
