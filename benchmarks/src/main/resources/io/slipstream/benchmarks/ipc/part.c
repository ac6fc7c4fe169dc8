/* Parts of the contests between processes in C: part ROLE FILE1 FILE2 BYTES; a round for each number on the standard input. */
#include "slipstream_ipc.h"

static void relax(int *idle, bool yields) {
    if (++*idle > 100 && yields) {
        syscall(SYS_sched_yield);
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void *room(slip_publisher *publisher, int64_t bytes, bool yields) {
    void *room;
    for (int idle = 0; (room = slip_claim(publisher, bytes)) == NULL; ) relax(&idle, yields);
    return room;
}

static const void *next(slip_subscriber *subscriber, bool yields) {
    const void *message;
    int64_t length;
    int result;
    for (int idle = 0; (result = slip_poll(subscriber, &message, &length)) == 0; ) relax(&idle, yields);
    if (result < 0) exit(1);
    return message;
}

static void send(slip_publisher *publisher, const char *source, int64_t number, int64_t bytes, bool yields) {
    char *to = room(publisher, bytes, yields);
    memcpy(to, source, (size_t) bytes);
    memcpy(to, &number, 8);
    memcpy(to + bytes - 8, &number, 8);
    slip_publish(publisher);
}

static int64_t receive(slip_subscriber *subscriber, int64_t bytes, bool yields) {
    const char *message = next(subscriber, yields);
    int64_t first, last;
    memcpy(&first, message, 8);
    memcpy(&last, message + bytes - 8, 8);
    slip_pass(subscriber, bytes);
    return first + last;
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    slip_channel one, two;
    slip_publisher out;
    slip_subscriber in;
    if (argc != 5 || slip_open(&one, argv[2]) != SLIP_OK || slip_open(&two, argv[3]) != SLIP_OK) return 1;
    int64_t bytes = atoll(argv[4]), count, sum = 0;
    char *source = calloc(1, (size_t) bytes);
    bool ping = strcmp(argv[1], "ping") == 0, pong = strcmp(argv[1], "pong") == 0;
    bool publishes = strcmp(argv[1], "publisher") == 0, subscribes = strcmp(argv[1], "subscriber") == 0;
    if (!publishes && slip_subscriber_attach(&in, ping ? &two : &one, "c", SLIP_SUBSCRIBER, SLIP_NEWEST, 0) != SLIP_OK) return 1;
    if (!subscribes && slip_publisher_attach(&out, pong ? &two : &one, "c") != SLIP_OK) return 1;
    for (;;) {
        printf("ready\n"), fflush(stdout);
        if (scanf("%ld", &count) != 1) break;
        if (ping) {
            int64_t *nanos = malloc(8 * (size_t) count);
            for (int64_t i = 0; i < count; i++) {
                int64_t begin = slip_nanos();
                send(&out, source, i, bytes, false);
                sum += receive(&in, bytes, false);
                nanos[i] = slip_nanos() - begin;
            }
            qsort(nanos, (size_t) count, 8, compare);
            printf("done %ld %ld\n", nanos[count / 2], nanos[(int64_t) ((double) count * 0.999)]);
            free(nanos);
        }
        for (int64_t i = 0; i < count && !ping; i++) {
            if (!publishes) sum += receive(&in, bytes, !pong);
            if (!subscribes) send(&out, source, i, bytes, !pong);
        }
        if (subscribes) printf("done\n");
    }
    return sum == -1;
}
