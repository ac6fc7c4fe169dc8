/*
 * The header as a shared library with handles, for languages that load one:
 *
 *     gcc -std=c11 -O2 -shared -fPIC -o libslipstream_ipc.so slipstream_ipc.c
 */
#include "slipstream_ipc.h"


slip_channel *slipstream_open(const char *path, char *error, size_t error_bytes) {
    slip_channel *channel = malloc(sizeof *channel);
    if (channel != NULL && slip_open(channel, path) != SLIP_OK) {
        snprintf(error, error_bytes, "%s", channel->error);
        free(channel);
        return NULL;
    }
    return channel;
}

const char *slipstream_error(const slip_channel *channel) { return channel->error; }

void slipstream_close(slip_channel *channel) {
    slip_close(channel);
    free(channel);
}

slip_publisher *slipstream_publisher(slip_channel *channel, const char *name) {
    slip_publisher *publisher = malloc(sizeof *publisher);
    if (publisher != NULL && slip_publisher_attach(publisher, channel, name) != SLIP_OK) {
        free(publisher);
        return NULL;
    }
    return publisher;
}

/* Returns 1 if the message was published, 0 if there is no room now, and a negative code if it cannot be. */
int slipstream_publish(slip_publisher *publisher, const void *message, int64_t length) {
    if (length < 0 || length > publisher->channel->capacity / 2 - SLIP_HEADER_BYTES) {
        return slip_fail(publisher->channel, SLIP_REFUSED, "the message is longer than half of the ring");
    }
    void *room = slip_claim(publisher, length);
    if (room == NULL) {
        return slip_publishes(publisher) ? 0 : SLIP_DETACHED;
    }
    memcpy(room, message, (size_t) length);
    slip_publish(publisher);
    return slip_publishes(publisher) ? 1 : SLIP_DETACHED;
}

void slipstream_publisher_close(slip_publisher *publisher) {
    slip_publisher_detach(publisher);
    free(publisher);
}

slip_subscriber *slipstream_subscriber(slip_channel *channel, const char *name, int kind, int start,
        int64_t patience_nanos) {
    slip_subscriber *subscriber = malloc(sizeof *subscriber);
    if (subscriber != NULL && slip_subscriber_attach(subscriber, channel, name, kind, start,
            patience_nanos) != SLIP_OK) {
        free(subscriber);
        return NULL;
    }
    return subscriber;
}

int slipstream_poll(slip_subscriber *subscriber, const void **message,
        int64_t *length) { return slip_poll(subscriber, message, length); }
void slipstream_pass(slip_subscriber *subscriber, int64_t length) { slip_pass(subscriber, length); }
void slipstream_sleep(slip_subscriber *subscriber) { slip_sleep(subscriber); }
int64_t slipstream_missed(const slip_subscriber *subscriber) { return subscriber->missed; }

void slipstream_subscriber_close(slip_subscriber *subscriber) {
    slip_subscriber_detach(subscriber);
    free(subscriber);
}
