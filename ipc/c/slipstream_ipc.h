/*
 * Slipstream shared-memory channels in C: create, publish to, subscribe to and observe those of io.slipstream.ipc.
 *
 *     slip_channel channel;
 *     slip_publisher publisher;
 *     if (slip_open(&channel, "/dev/shm/prices.ipc") != SLIP_OK
 *             || slip_publisher_attach(&publisher, &channel, "feed") != SLIP_OK) {
 *         fprintf(stderr, "%s\n", channel.error);
 *     }
 *     void *message;
 *     while ((message = slip_claim(&publisher, length)) == NULL) { ... }     // no room: do something else, or try
 *     again
 *     memcpy(message, data, length);
 *     slip_publish(&publisher);
 *
 * One file to be included first (it needs _GNU_SOURCE), C11 or C++17, Linux only (it uses open file description locks),
 * little-endian, no dependency. The layout is in
 * docs/ipc-format.md. Everything returns SLIP_OK or a negative code, and says why in channel.error.
 *
 * A publisher, a subscriber or an observer is owned by one thread. Attach, detach, open and close from one thread at a
 * time.
 * Locks belong to the open file: a child process that was forked shares them until it ends or executes another program.
 */
#ifndef SLIPSTREAM_IPC_H
#define SLIPSTREAM_IPC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#include <atomic>
#define SLIP_ATOMIC(type) std::atomic<type>
using std::atomic_compare_exchange_strong;
using std::atomic_compare_exchange_weak;
using std::atomic_fetch_and;
using std::atomic_fetch_or;
using std::atomic_load;
using std::atomic_load_explicit;
using std::atomic_store;
using std::atomic_store_explicit;
using std::atomic_thread_fence;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
#else
#define SLIP_ATOMIC(type) _Atomic type
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the file is little-endian, and this machine is not"
#endif

/* Tests define it to die at a named point. */
#ifndef SLIP_POINT
#define SLIP_POINT(name) ((void) 0)
#endif

enum {
    SLIP_OK = 0,
    SLIP_SYSTEM = -1,    /* the system refused something; see errno */
    SLIP_REFUSED = -2,   /* the file is no channel, or not one for us */
    SLIP_BUSY = -3,      /* the only publisher lives, or all slots are taken */
    SLIP_CORRUPT = -4,   /* no publisher can have written what is there */
    SLIP_DETACHED = -5   /* the slot is not ours any more */
};

enum { SLIP_NEWEST = 0, SLIP_OLDEST = 1 };

enum { SLIP_PUBLISHER = 1, SLIP_SUBSCRIBER = 2, SLIP_OBSERVER = 3, SLIP_PATIENT_OBSERVER = 4 };

/*
 * ------------------------------------------------------------------------------------------------------------ layout
 */

#define SLIP_MAGIC UINT64_C(0x0043504950494c53)
#define SLIP_VERSION 1
#define SLIP_BYTE_ORDER_MARK 0x01020304
#define SLIP_CHECKSUM_AT 88
#define SLIP_TAIL_AT 256
#define SLIP_ANNOUNCED_AT 512
#define SLIP_LIMIT_AT 768
#define SLIP_SLEEPERS_AT 1024
#define SLIP_LANDMARKS_AT 1280
#define SLIP_LANDMARKS 64
#define SLIP_SLOTS_OFFSET 4096
#define SLIP_SLOT_BYTES 256
#define SLIP_NAME_BYTES 80
#define SLIP_HEADER_BYTES 8
#define SLIP_ALIGNMENT 16
#define SLIP_GATE_LOCK 0
#define SLIP_OPEN_LOCK 1
#define SLIP_DROPPED 0x80
#define SLIP_CLAIMED 1
#define SLIP_PUBLISHED 2
#define SLIP_SKIPPED 3
#define SLIP_LAP_MASK ((UINT64_C(1) << 30) - 1)

typedef struct {
    int fd;
    char *base;
    int64_t file_bytes, capacity, mask, stamps, data;
    int lap_shift, part_shift, parties;
    bool many, keep, takes_part;
    char path[PATH_MAX];
    char error[512];
} slip_channel;

typedef struct {
    slip_channel *channel;
    int index;
    int64_t state;
} slip_slot;

typedef struct {
    slip_channel *channel;
    slip_slot slot;
    int64_t limit, next, cleared, landmark, open;
    int32_t open_length;
    uint32_t refusals;
    int64_t stalled_since;
} slip_publisher;

typedef struct {
    slip_channel *channel;
    slip_slot slot;
    int64_t next, missed, drops;
    uint32_t empty_polls;
    bool observes, sleeps;
    int64_t slept_at, sleep_nanos;
    char *buffer;
    int64_t buffer_bytes;
} slip_subscriber;

#define SLIP_I64(channel, offset) ((SLIP_ATOMIC(int64_t) *) (void *) ((channel)->base + (offset)))
#define SLIP_I32(channel, offset) ((SLIP_ATOMIC(int32_t) *) (void *) ((channel)->base + (offset)))

static inline int64_t slip_get(const slip_channel *c, int64_t offset) {
    return atomic_load_explicit(SLIP_I64(c, offset), memory_order_acquire);
}

static inline void slip_set(const slip_channel *c, int64_t offset, int64_t value) {
    atomic_store_explicit(SLIP_I64(c, offset), value, memory_order_release);
}

static inline bool slip_cas(const slip_channel *c, int64_t offset, int64_t expected, int64_t value) {
    return atomic_compare_exchange_strong(SLIP_I64(c, offset), &expected, value);
}

static inline int64_t slip_slot_at(int index) { return SLIP_SLOTS_OFFSET + (int64_t) index * SLIP_SLOT_BYTES; }
static inline int64_t slip_state(const slip_channel *c, int index) { return slip_get(c, slip_slot_at(index)); }
static inline int64_t slip_position(const slip_channel *c, int index) { return slip_get(c, slip_slot_at(index) + 128); }
static inline int64_t slip_offset(const slip_channel *c, int64_t position) { return c->data + (position & c->mask); }
static inline int64_t slip_align(int64_t length) { return (length + SLIP_ALIGNMENT - 1) & -(int64_t) SLIP_ALIGNMENT; }
static inline int64_t slip_page(int64_t bytes) { return (bytes + 4095) & -(int64_t) 4096; }
static inline int64_t slip_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t slip_max(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int slip_fail(slip_channel *c, int code, const char *what) {
    if (code == SLIP_SYSTEM) {
        snprintf(c->error, sizeof c->error, "%.300s: %s: %s", c->path, what, strerror(errno));
    } else {
        snprintf(c->error, sizeof c->error, "%.300s: %s", c->path, what);
    }
    return code;
}

static inline uint32_t slip_crc32c(const unsigned char *bytes, size_t length) {
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (UINT32_C(0x82f63b78) & -(crc & 1));
        }
    }
    return ~crc;
}

/*
 * ------------------------------------------------------------------------------------------------------------- locks
 */

static inline bool slip_lock(int fd, short type, int64_t byte) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = type, lock.l_whence = SEEK_SET, lock.l_start = byte, lock.l_len = 1;
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

static inline bool slip_try_slot(const slip_channel *c,
        int index) { return slip_lock(c->fd, F_WRLCK, slip_slot_at(index)); }
static inline void slip_unlock_slot(const slip_channel *c,
        int index) { slip_lock(c->fd, F_UNLCK, slip_slot_at(index)); }

static inline bool slip_gate(int fd) {
    for (int attempt = 0; attempt < 20000; attempt++) {
        if (slip_lock(fd, F_WRLCK, SLIP_GATE_LOCK)) {
            return true;
        }
        struct timespec pause = {0, 500000};
        nanosleep(&pause, NULL);
    }
    return false;
}

/*
 * ------------------------------------------------------------------------------------------------------ open and close
 */

static inline int slip_check_header(slip_channel *c) {
    unsigned char h[96];
    int64_t file_bytes, capacity, slots, stamps, data;
    uint64_t magic;
    int32_t version, order, mode, parties, flags, checksum;
    memcpy(h, c->base, sizeof h);
    memcpy(&magic, h, 8), memcpy(&version, h + 8, 4), memcpy(&order, h + 12, 4), memcpy(&file_bytes, h + 16, 8);
    memcpy(&capacity, h + 24, 8), memcpy(&mode, h + 32, 4), memcpy(&parties, h + 36, 4), memcpy(&flags, h + 40, 4);
    memcpy(&slots, h + 48, 8), memcpy(&stamps, h + 56, 8), memcpy(&data, h + 64, 8),
            memcpy(&checksum, h + SLIP_CHECKSUM_AT, 4);
    if (magic != SLIP_MAGIC) return slip_fail(c, SLIP_REFUSED, "it does not begin as a channel does (magic number)");
    if (version != SLIP_VERSION) return slip_fail(c, SLIP_REFUSED, "it has another version of the format");
    if (order != SLIP_BYTE_ORDER_MARK) return slip_fail(c, SLIP_REFUSED, "it was written in another byte order");
    if ((uint32_t) checksum != slip_crc32c(h, SLIP_CHECKSUM_AT)) return slip_fail(c, SLIP_REFUSED,
            "the checksum of its header is wrong");
    if (capacity < 4096 || capacity > (1 << 30) || (capacity & (capacity - 1)) != 0 || parties < 1 || parties > 62
            || mode < 1 || mode > 2 || (flags & ~1) != 0) {
        return slip_fail(c, SLIP_REFUSED, "its sizes are impossible");
    }
    int64_t after_slots = slip_page(SLIP_SLOTS_OFFSET + (int64_t) parties * SLIP_SLOT_BYTES);
    int64_t expected_data = after_slots + (mode == 2 ? slip_page(capacity / 2) : 0);
    if (slots != SLIP_SLOTS_OFFSET || stamps != (mode == 2 ? after_slots : 0) || data != expected_data
            || file_bytes != data + capacity || file_bytes != c->file_bytes) {
        return slip_fail(c, SLIP_REFUSED, "its parts are not where they belong, or it was truncated");
    }
    c->capacity = capacity, c->mask = capacity - 1, c->stamps = stamps, c->data = data;
    c->parties = parties, c->many = mode == 2, c->keep = flags == 1;
    c->lap_shift = __builtin_ctzll((unsigned long long) capacity), c->part_shift = c->lap_shift - 6;
    return SLIP_OK;
}

/* Opens a channel that exists. */
static inline int slip_open(slip_channel *c, const char *path) {
    memset(c, 0, sizeof *c);
    snprintf(c->path, sizeof c->path, "%s", path);
    c->fd = -1;
    for (;;) {
        struct stat of_fd, of_path;
        int result = SLIP_OK;
        if ((c->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)) < 0 || fstat(c->fd, &of_fd) != 0) {
            result = slip_fail(c, SLIP_SYSTEM, "cannot open it");
        } else if (!S_ISREG(of_fd.st_mode) || of_fd.st_uid != geteuid() || (of_fd.st_mode & 077) != 0) {
            result = slip_fail(c, SLIP_REFUSED, "it is not this user's own file of mode 0600");
        } else if (of_fd.st_size < SLIP_SLOTS_OFFSET) {
            result = slip_fail(c, SLIP_REFUSED, "it is shorter than a header");
        } else if (!slip_gate(c->fd)) {
            result = slip_fail(c, SLIP_BUSY, "another process has been joining or leaving for 10 s");
        } else if (stat(path, &of_path) != 0 || of_path.st_ino != of_fd.st_ino || of_path.st_dev != of_fd.st_dev) {
            close(c->fd);
            continue;
        } else {
            c->file_bytes = of_fd.st_size;
            void *base = mmap(NULL, (size_t) c->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
            if (base == MAP_FAILED) {
                result = slip_fail(c, SLIP_SYSTEM, "cannot map it");
            } else {
                c->base = (char *) base;
                if ((result = slip_check_header(c)) == SLIP_OK && !slip_lock(c->fd, F_RDLCK, SLIP_OPEN_LOCK)) {
                    result = slip_fail(c, SLIP_SYSTEM, "cannot lock it");
                }
            }
            slip_lock(c->fd, F_UNLCK, SLIP_GATE_LOCK);
        }
        if (result != SLIP_OK) {
            if (c->base != NULL) munmap(c->base, (size_t) c->file_bytes), c->base = NULL;
            if (c->fd >= 0) close(c->fd), c->fd = -1;
        }
        return result;
    }
}

/*
 * Unmaps the channel; detach its parties before. The last process that closes it removes the file, unless it is to be
 * kept, or has only been looked at: by no publisher and no subscriber.
 */
static inline void slip_close(slip_channel *c) {
    struct stat of_fd, of_path;
    if (c->fd < 0) {
        return;
    }
    if (c->takes_part && !c->keep && slip_gate(c->fd)) {
        SLIP_POINT("leave gate");
        if (slip_lock(c->fd, F_WRLCK, SLIP_OPEN_LOCK) && fstat(c->fd, &of_fd) == 0 && stat(c->path, &of_path) == 0
                && of_path.st_ino == of_fd.st_ino && of_path.st_dev == of_fd.st_dev) {
            unlink(c->path);
        }
    }
    munmap(c->base, (size_t) c->file_bytes);
    close(c->fd);
    c->fd = -1, c->base = NULL;
}

static inline bool slip_write_all(int fd, const void *bytes, size_t length, off_t at) {
    for (size_t done = 0; done < length; ) {
        ssize_t written = pwrite(fd, (const char *) bytes + done, length - done, at + (off_t) done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        done += (size_t) written;
    }
    return true;
}

/* Writes zeros, so that all space is there, and then the header. */
static inline bool slip_fill(int fd, int64_t capacity, bool many, int parties, bool keep, uint64_t id) {
    static const char zeros[1 << 16] = {0};
    unsigned char h[96];
    int64_t slots = SLIP_SLOTS_OFFSET, after_slots = slip_page(slots + (int64_t) parties * SLIP_SLOT_BYTES);
    int64_t stamps = many ? after_slots : 0, data = after_slots + (many ? slip_page(capacity / 2) : 0);
    int64_t file_bytes = data + capacity;
    uint64_t magic = SLIP_MAGIC;
    int32_t version = SLIP_VERSION, order = SLIP_BYTE_ORDER_MARK, mode = many ? 2 : 1, flags = keep ? 1 : 0;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t millis = (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
    memset(h, 0, sizeof h);
    memcpy(h, &magic, 8), memcpy(h + 8, &version, 4), memcpy(h + 12, &order, 4), memcpy(h + 16, &file_bytes, 8);
    memcpy(h + 24, &capacity, 8), memcpy(h + 32, &mode, 4), memcpy(h + 36, &parties, 4), memcpy(h + 40, &flags, 4);
    memcpy(h + 48, &slots, 8), memcpy(h + 56, &stamps, 8), memcpy(h + 64, &data, 8), memcpy(h + 72, &millis, 8);
    memcpy(h + 80, &id, 8);
    uint32_t checksum = slip_crc32c(h, SLIP_CHECKSUM_AT);
    memcpy(h + SLIP_CHECKSUM_AT, &checksum, 4);
    for (int64_t at = 0; at < file_bytes; at += (int64_t) sizeof zeros) {
        if (!slip_write_all(fd, zeros, (size_t) slip_min((int64_t) sizeof zeros, file_bytes - at), at)) return false;
    }
    return slip_write_all(fd, h, sizeof h, 0);
}

/*
 * Creates the file of a channel, whole and for this user only, or nothing; c is for the error. Open it afterwards.
 * capacity: of the ring, a power of two from 2^12 to 2^30. many: publishers. parties: from 1 to 62. keep: the file
 * stays when the last process closes it.
 */
static inline int slip_create(slip_channel *c, const char *path, int64_t capacity, bool many, int parties, bool keep) {
    char draft[PATH_MAX];
    uint64_t id;
    memset(c, 0, sizeof *c);
    c->fd = -1;
    snprintf(c->path, sizeof c->path, "%s", path);
    if (capacity < 4096 || capacity > (1 << 30) || (capacity & (capacity - 1)) != 0 || parties < 1 || parties > 62) {
        return slip_fail(c, SLIP_REFUSED, "a ring is a power of two from 2^12 to 2^30, with 1 to 62 parties");
    }
    const char *slash = strrchr(path, '/');
    int folder = slash == NULL ? 0 : (int) (slash - path) + 1;
    if (getrandom(&id, sizeof id, 0) != (ssize_t) sizeof id) return slip_fail(c, SLIP_SYSTEM, "no random number");
    int length = snprintf(draft, sizeof draft, "%.*s.%s.%ld-%llx.new", folder, path, path + folder, (long) getpid(),
            (unsigned long long) id);
    if (length < 0 || (size_t) length >= sizeof draft) return slip_fail(c, SLIP_REFUSED, "its name is too long");
    int fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return slip_fail(c, SLIP_SYSTEM, "cannot create it");
    int result = SLIP_OK;
    slip_lock(fd, F_WRLCK, SLIP_GATE_LOCK);
    if (!slip_fill(fd, capacity, many, parties, keep, id)) {
        result = slip_fail(c, SLIP_SYSTEM, "cannot write it");
    } else if (link(draft, path) != 0) {
        result = slip_fail(c, SLIP_SYSTEM, "cannot create it");
    }
    unlink(draft);
    close(fd);
    return result;
}

/*
 * ------------------------------------------------------------------------------------------------------------- frames
 */

static inline int64_t slip_stamp_at(const slip_channel *c, int64_t position) { return c->stamps
        + (position & c->mask) / SLIP_ALIGNMENT * 8; }
static inline uint64_t slip_stamp(const slip_channel *c,
        int64_t position) { return (uint64_t) slip_get(c, slip_stamp_at(c, position)); }
static inline uint64_t slip_lap(const slip_channel *c,
        int64_t position) { return (uint64_t) (position >> c->lap_shift) & SLIP_LAP_MASK; }
static inline bool slip_stamp_is(uint64_t stamp, uint64_t lap) { return (stamp & 3) != 0 && stamp >> 34 == lap; }
static inline int64_t slip_stamp_bytes(uint64_t stamp) {
    return (int64_t) (stamp >> 8 & ((1 << 26) - 1)) * SLIP_ALIGNMENT;
}

static inline int slip_stamp_owner(uint64_t stamp) { return (int) (stamp >> 2 & 63); }

static inline uint64_t slip_new_stamp(uint64_t lap, int64_t bytes, int owner, unsigned phase) {
    return lap << 34 | (uint64_t) (bytes / SLIP_ALIGNMENT) << 8 | (uint64_t) owner << 2 | phase;
}

static inline bool slip_possible(const slip_channel *c, int64_t position, int64_t length) {
    int64_t room = c->capacity - (position & c->mask);
    return length > 0 ? length >= SLIP_HEADER_BYTES && length <= c->capacity / 2 && slip_align(length) <= room
                      : length % SLIP_ALIGNMENT == 0 && -length <= room;
}

/* Sets the length of the frame at a position: 0 if there is none yet, negative for bytes to be skipped. */
static inline int slip_frame(slip_channel *c, int64_t position, int64_t *length) {
    if (!c->many) {
        *length = atomic_load_explicit(SLIP_I32(c, slip_offset(c, position)), memory_order_acquire);
        return *length == 0 || slip_possible(c, position, *length) ? SLIP_OK
                : slip_fail(c, SLIP_CORRUPT, "a frame is impossible");
    }
    uint64_t stamp = slip_stamp(c, position);
    *length = 0;
    if (!slip_stamp_is(stamp, slip_lap(c, position)) || (stamp & 3) == SLIP_CLAIMED) {
        return SLIP_OK;
    }
    int64_t bytes = slip_stamp_bytes(stamp);
    if (bytes == 0 || !slip_possible(c, position, -bytes)) {
        return slip_fail(c, SLIP_CORRUPT, "a claim is impossible");
    }
    if ((stamp & 3) == SLIP_SKIPPED) {
        *length = -bytes;
        return SLIP_OK;
    }
    *length = atomic_load_explicit(SLIP_I32(c, slip_offset(c, position)), memory_order_relaxed);
    return *length > 0 && slip_possible(c, position, *length) && slip_align(*length) == bytes
            ? SLIP_OK : slip_fail(c, SLIP_CORRUPT, "a frame is not as long as its claim");
}

static inline int slip_tail(slip_channel *c, int64_t *tail) {
    *tail = slip_get(c, SLIP_TAIL_AT);
    return *tail >= 0 && *tail % SLIP_ALIGNMENT == 0 ? SLIP_OK : slip_fail(c, SLIP_CORRUPT, "the tail is impossible");
}

static inline void slip_note_landmark(const slip_channel *c, int64_t position) {
    int64_t part = position >> c->part_shift;
    int64_t at = SLIP_LANDMARKS_AT + (part & (SLIP_LANDMARKS - 1)) * 8;
    int64_t noted = slip_get(c, at);
    if (noted < part << c->part_shift) {
        slip_cas(c, at, noted, position);
    }
}

static inline int64_t slip_landmark_from(const slip_channel *c, int64_t oldest, int64_t tail) {
    for (int part = 0; part < SLIP_LANDMARKS; part++) {
        int64_t noted = slip_get(c, SLIP_LANDMARKS_AT + part * 8);
        if (noted >= 0 && noted >= oldest && noted < tail && noted % SLIP_ALIGNMENT == 0) {
            tail = noted;
        }
    }
    return tail;
}

/*
 * -------------------------------------------------------------------------------------------------------------- slots
 */

static inline bool slip_gating(int64_t state) {
    int64_t kind = state & (0xf | SLIP_DROPPED);
    return kind == SLIP_SUBSCRIBER || kind == SLIP_PATIENT_OBSERVER;
}

static inline bool slip_owned(const slip_slot *slot) {
    return (slip_state(slot->channel, slot->index) & ~(int64_t) SLIP_DROPPED) == slot->state;
}

static inline void slip_set_sleeper(const slip_channel *c, int index, bool sleeps) {
    int64_t bit = INT64_C(1) << index;
    if (sleeps) {
        atomic_fetch_or(SLIP_I64(c, SLIP_SLEEPERS_AT), bit);
    } else {
        atomic_fetch_and(SLIP_I64(c, SLIP_SLEEPERS_AT), ~bit);
    }
}

/* Frees a slot whose lock the caller holds; marks the hole of a dead publisher as skipped before. */
static inline void slip_bury(slip_channel *c, int index) {
    int64_t state = slip_state(c, index);
    if ((state & 0xf) == 0) {
        return;
    }
    if (c->many && (state & 0xf) == SLIP_PUBLISHER) {
        int64_t claim = slip_position(c, index);
        if (claim >= 0 && claim % SLIP_ALIGNMENT == 0) {
            uint64_t stamp = slip_stamp(c, claim);
            if (slip_stamp_is(stamp, slip_lap(c, claim)) && (stamp & 3) == SLIP_CLAIMED
                    && slip_stamp_owner(stamp) == index) {
                SLIP_POINT("repair before");
                slip_cas(c, slip_stamp_at(c, claim), (int64_t) stamp, (int64_t) (stamp | SLIP_SKIPPED));
                SLIP_POINT("repair after");
            }
        }
    }
    slip_set_sleeper(c, index, false);
    SLIP_POINT("bury");
    slip_set(c, slip_slot_at(index), (int64_t) (((uint64_t) state >> 8) + 1) << 8);
}

static inline bool slip_bury_if_dead(slip_channel *c, int index) {
    if ((slip_state(c, index) & 0xf) == 0) {
        return true;
    }
    if (!slip_try_slot(c, index)) {
        return false;
    }
    slip_bury(c, index);
    slip_unlock_slot(c, index);
    return true;
}

static inline int64_t slip_start_ticks(void) {
    char text[1024];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (length <= 0) return 0;
    text[length] = 0;
    char *at = strrchr(text, ')');
    for (int field = 2; at != NULL && field < 22; field++) {
        at = strchr(at + 1, ' ');
    }
    return at == NULL ? 0 : strtoll(at, NULL, 10);
}

/*
 * The kernel does not tell two users of one open file apart, so a slot of this process' own looks free to it; those are
 * skipped by
 * what they say: number and start of the process.
 */
static inline bool slip_is_ours(const slip_channel *c, int index) {
    int64_t at = slip_slot_at(index);
    return (slip_state(c, index) & 0xf) != 0 && slip_get(c, at + 8) == getpid()
            && slip_get(c, at + 16) == slip_start_ticks();
}

static inline int slip_attach(slip_channel *c, slip_slot *slot, int kind, const char *name, int64_t position,
        int64_t patience_nanos) {
    size_t length = strlen(name);
    if (length > SLIP_NAME_BYTES) return slip_fail(c, SLIP_REFUSED, "a name has at most 80 bytes");
    if (!slip_gate(c->fd)) return slip_fail(c, SLIP_BUSY, "another process has been joining or leaving for 10 s");
    int result = SLIP_BUSY;
    SLIP_POINT("join gate");
    if (kind == SLIP_PUBLISHER && !c->many) {
        for (int i = 0; i < c->parties; i++) {
            if ((slip_state(c, i) & 0xf) == SLIP_PUBLISHER && (slip_is_ours(c, i) || !slip_bury_if_dead(c, i))) {
                slip_lock(c->fd, F_UNLCK, SLIP_GATE_LOCK);
                return slip_fail(c, SLIP_BUSY, "it is for one publisher, and has one that lives");
            }
        }
    }
    /* An observer takes the slot of a dead party only if there is no other: who looks wants to find who has died. */
    int first = kind == SLIP_OBSERVER || kind == SLIP_PATIENT_OBSERVER ? 0 : c->parties;
    for (int n = first; n < 2 * c->parties && result != SLIP_OK; n++) {
        int i = n % c->parties;
        if ((n < c->parties && (slip_state(c, i) & 0xf) != 0) || slip_is_ours(c, i) || !slip_try_slot(c, i)) {
            continue;
        }
        SLIP_POINT("join locked");
        slip_bury(c, i);
        int64_t at = slip_slot_at(i);
        slip_set(c, at + 8, getpid());
        slip_set(c, at + 16, slip_start_ticks());
        slip_set(c, at + 24, position);
        slip_set(c, at + 32, patience_nanos);
        slip_set(c, at + 192, 0);
        atomic_store_explicit(SLIP_I32(c, at + 44), (int32_t) length, memory_order_relaxed);
        memcpy(c->base + at + 48, name, length);
        slip_set(c, at + 128, position);
        SLIP_POINT("join filled");
        slot->channel = c, slot->index = i;
        slot->state = (int64_t) ((uint64_t) slip_state(c, i) >> 8 << 8) | kind;
        atomic_store(SLIP_I64(c, at), slot->state);
        SLIP_POINT("join taken");
        result = SLIP_OK;
    }
    slip_lock(c->fd, F_UNLCK, SLIP_GATE_LOCK);
    return result == SLIP_OK ? SLIP_OK : slip_fail(c, SLIP_BUSY, "all its slots are taken by living parties");
}

static inline void slip_detach(slip_slot *slot) {
    if (slot->channel != NULL && slip_owned(slot)) {
        slip_bury(slot->channel, slot->index);
        SLIP_POINT("leave freed");
        slip_unlock_slot(slot->channel, slot->index);
    }
    slot->channel = NULL;
}

/*
 * -------------------------------------------------------------------------------------------------------------- limit
 */

static inline int64_t slip_slowest(const slip_channel *c) {
    int64_t slowest = INT64_MAX;
    for (int i = 0; i < c->parties; i++) {
        if (slip_gating(slip_state(c, i))) {
            slowest = slip_min(slowest, slip_position(c, i));
        }
    }
    return slowest;
}

static inline int64_t slip_most(const slip_channel *c) {
    int64_t slowest = slip_slowest(c);
    return slowest > INT64_MAX - c->capacity ? INT64_MAX : slowest + c->capacity;
}

static inline void slip_raise_to(const slip_channel *c, int64_t at, int64_t goal) {
    int64_t value = atomic_load(SLIP_I64(c, at));
    while (value < goal && !atomic_compare_exchange_weak(SLIP_I64(c, at), &value, goal)) {
    }
}

static inline int64_t slip_raise(const slip_channel *c, int64_t end) {
    int64_t goal = slip_min(slip_most(c), end + c->capacity / 8);
    if (goal >= end) {
        slip_raise_to(c, SLIP_ANNOUNCED_AT, goal);
        SLIP_POINT("announced");
        atomic_thread_fence(memory_order_seq_cst);
        goal = slip_min(goal, slip_most(c));
        if (goal >= end) {
            slip_raise_to(c, SLIP_LIMIT_AT, goal);
        }
    }
    return slip_get(c, SLIP_LIMIT_AT);
}

static inline int64_t slip_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * Looks at those who hold this publisher up: frees the slots of the dead, and drops those that have used up its
 * patience.
 */
static inline void slip_look(slip_publisher *p) {
    slip_channel *c = p->channel;
    int64_t now = slip_nanos();
    if (p->stalled_since == 0) p->stalled_since = now;
    int64_t slowest = slip_slowest(c);
    if (slowest > slip_get(c, SLIP_LIMIT_AT) - c->capacity / 2) return;
    for (int i = 0; i < c->parties; i++) {
        int64_t state = slip_state(c, i);
        if (!slip_gating(state) || slip_position(c, i) - c->capacity / 8 > slowest) continue;
        if (!slip_is_ours(c, i) && slip_bury_if_dead(c, i)) continue;
        if ((state & 0xf) == SLIP_PATIENT_OBSERVER && now - p->stalled_since > slip_get(c, slip_slot_at(i) + 32)) {
            slip_cas(c, slip_slot_at(i), state, state | SLIP_DROPPED);
        }
    }
}

static inline bool slip_publishes(const slip_publisher *p) {
    if (!slip_owned(&p->slot)) {
        slip_fail(p->channel, SLIP_DETACHED, "this publisher does not own its slot any more");
        return false;
    }
    return true;
}

static inline bool slip_has_room(slip_publisher *p, int64_t end) {
    if (!slip_publishes(p)) {
        return false;
    }
    if (end <= p->limit) {
        return true;
    }
    p->limit = slip_raise(p->channel, end);
    if (end <= p->limit) {
        p->refusals = 0, p->stalled_since = 0;
        return true;
    }
    p->refusals++;
    if (p->refusals == 64 || (p->refusals & 1023) == 0) {
        slip_look(p);
    }
    return false;
}

/*
 * ----------------------------------------------------------------------------------------------------------- publisher
 */

static inline int slip_publisher_attach(slip_publisher *p, slip_channel *c, const char *name) {
    memset(p, 0, sizeof *p);
    p->channel = c, p->open = -1;
    c->takes_part = true;
    int64_t tail;
    int result = slip_tail(c, &tail);
    if (result != SLIP_OK || (result = slip_attach(c, &p->slot, SLIP_PUBLISHER, name, tail, 0)) != SLIP_OK) {
        return result;
    }
    p->limit = slip_get(c, SLIP_LIMIT_AT);
    if (!c->many) {
        int64_t most, length = 0;
        result = slip_tail(c, &p->next);
        most = p->next + c->capacity;
        while (result == SLIP_OK && p->next < most && (result = slip_frame(c, p->next, &length)) == SLIP_OK
                && length != 0) {
            p->next += length < 0 ? -length : slip_align(length);
        }
        if (result != SLIP_OK) {
            slip_detach(&p->slot);
            return result;
        }
        p->cleared = p->next;
        slip_set(c, SLIP_TAIL_AT, p->next);
    }
    return SLIP_OK;
}

static inline void slip_one_prepare(slip_publisher *p, int64_t start, int64_t end) {
    slip_channel *c = p->channel;
    if (end >= p->cleared) {
        int64_t clearing = slip_max(SLIP_ALIGNMENT, slip_min(512, c->capacity / 64));
        int64_t goal = slip_max(end + SLIP_ALIGNMENT, slip_min((end & -clearing) + clearing, p->limit));
        for (int64_t at = slip_max(end, p->cleared); at < goal; at += SLIP_ALIGNMENT) {
            atomic_store_explicit(SLIP_I32(c, slip_offset(c, at)), 0, memory_order_relaxed);
        }
        p->cleared = goal;
        SLIP_POINT("cleared");
    }
    if (start >= p->landmark) {
        slip_note_landmark(c, start);
        p->landmark = ((start >> c->part_shift) + 1) << c->part_shift;
    }
}

static inline void slip_one_release(slip_publisher *p, int64_t header, int64_t bytes) {
    slip_channel *c = p->channel;
    SLIP_POINT("publish before");
    atomic_store_explicit(SLIP_I32(c, slip_offset(c, p->next)), (int32_t) header, memory_order_release);
    SLIP_POINT("publish header");
    p->next += bytes;
    slip_set(c, SLIP_TAIL_AT, p->next);
    SLIP_POINT("publish tail");
}

static inline bool slip_one_claim(slip_publisher *p, int64_t aligned) {
    slip_channel *c = p->channel;
    int64_t to_end = c->capacity - (p->next & c->mask);
    if (aligned > to_end) {
        if (!slip_has_room(p, p->next + to_end + SLIP_ALIGNMENT)) {
            return false;
        }
        slip_one_prepare(p, p->next, p->next + to_end);
        slip_one_release(p, -to_end, to_end);
    }
    if (!slip_has_room(p, p->next + aligned + SLIP_ALIGNMENT)) {
        return false;
    }
    slip_one_prepare(p, p->next, p->next + aligned);
    p->open = p->next;
    return true;
}

static inline bool slip_many_claim(slip_publisher *p, int64_t length, int64_t aligned) {
    slip_channel *c = p->channel;
    for (;;) {
        int64_t start = slip_get(c, SLIP_TAIL_AT);
        if (start < 0 || start % SLIP_ALIGNMENT != 0) {
            slip_fail(c, SLIP_CORRUPT, "the tail is impossible");
            return false;
        }
        uint64_t stamp = slip_stamp(c, start);
        if (slip_stamp_is(stamp, slip_lap(c, start))) {
            int64_t bytes = slip_stamp_bytes(stamp);
            if (bytes == 0 || !slip_possible(c, start, -bytes)) {
                slip_fail(c, SLIP_CORRUPT, "a claim is impossible");
                return false;
            }
            slip_cas(c, SLIP_TAIL_AT, start, start + bytes);
        } else if (start == slip_get(c, SLIP_TAIL_AT)) {
            int64_t to_end = c->capacity - (start & c->mask);
            bool fits = aligned <= to_end;
            int64_t bytes = fits ? aligned : to_end;
            if (!slip_has_room(p, start + bytes)) {
                return false;
            }
            slip_set(c, slip_slot_at(p->slot.index) + 128, start);
            SLIP_POINT("claim before");
            if (slip_cas(c, slip_stamp_at(c, start), (int64_t) stamp,
                    (int64_t) slip_new_stamp(slip_lap(c, start), bytes, p->slot.index,
                    fits ? SLIP_CLAIMED : SLIP_SKIPPED))) {
                SLIP_POINT("claim stamp");
                slip_cas(c, SLIP_TAIL_AT, start, start + bytes);
                SLIP_POINT("claim tail");
                slip_note_landmark(c, start);
                if (fits) {
                    atomic_store_explicit(SLIP_I32(c, slip_offset(c, start)), (int32_t) length, memory_order_relaxed);
                    p->open = start;
                    return true;
                }
            }
        }
    }
}

/*
 * Claims room for a message; returns where it is to be written, or NULL if there is no room now. One claim at a time.
 * NULL stays NULL for whoever has lost its kernel locks; slip_publishes says whether that is so.
 */
static inline void *slip_claim(slip_publisher *p, int64_t message_length) {
    slip_channel *c = p->channel;
    int64_t length = SLIP_HEADER_BYTES + message_length;
    if (message_length < 0 || length > c->capacity / 2 || p->open >= 0) {
        slip_fail(c, SLIP_REFUSED, "a message is too long, or the claim before is still open");
        return NULL;
    }
    if (!(c->many ? slip_many_claim(p, length, slip_align(length)) : slip_one_claim(p, slip_align(length)))) {
        return NULL;
    }
    p->open_length = (int32_t) length;
    SLIP_POINT("claimed");
    return c->base + slip_offset(c, p->open) + SLIP_HEADER_BYTES;
}

static inline void slip_wake(const slip_channel *c) {
    atomic_thread_fence(memory_order_seq_cst);
    int64_t sleepers = slip_get(c, SLIP_SLEEPERS_AT);
    for (int i = 0; i < c->parties; i++) {
        int64_t armed = slip_slot_at(i) + 192;
        if ((sleepers >> i & 1) != 0 && slip_get(c, armed) == 1 && slip_cas(c, armed, 1, 0)) {
            syscall(SYS_futex, c->base + armed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        }
    }
}

static inline void slip_finish(slip_publisher *p, unsigned phase) {
    slip_channel *c = p->channel;
    if (!slip_publishes(p)) {
        p->open = -1;
        return;
    }
    if (c->many) {
        uint64_t stamp = slip_stamp(c, p->open);
        SLIP_POINT("publish before");
        slip_set(c, slip_stamp_at(c, p->open), (int64_t) ((stamp & ~UINT64_C(3)) | phase));
        SLIP_POINT("publish after");
    } else if (phase == SLIP_PUBLISHED) {
        slip_one_release(p, p->open_length, slip_align(p->open_length));
    } else {
        p->cleared = p->next;
    }
    p->open = -1;
}

/* Publishes the claim, unless the kernel locks are lost; slip_publishes says whether that is so. */
static inline void slip_publish(slip_publisher *p) {
    if (p->open >= 0) {
        slip_finish(p, SLIP_PUBLISHED);
        if (atomic_load_explicit(SLIP_I64(p->channel, SLIP_SLEEPERS_AT), memory_order_relaxed) != 0) {
            slip_wake(p->channel);
        }
    }
}

/* Gives the claim back. */
static inline void slip_abort(slip_publisher *p) {
    if (p->open >= 0) {
        slip_finish(p, SLIP_SKIPPED);
    }
}

static inline void slip_publisher_detach(slip_publisher *p) {
    slip_abort(p);
    slip_detach(&p->slot);
}

/*
 * ---------------------------------------------------------------------------------------------------------- subscriber
 */

/*
 * Attaches a reader. kind: SLIP_SUBSCRIBER (publishers wait for it), SLIP_OBSERVER (they do not) or
 * SLIP_PATIENT_OBSERVER (for at most
 * patience_nanos). start: SLIP_NEWEST or SLIP_OLDEST.
 */
static inline int slip_subscriber_attach(slip_subscriber *s, slip_channel *c, const char *name, int kind, int start,
        int64_t patience_nanos) {
    memset(s, 0, sizeof *s);
    s->channel = c, s->observes = kind != SLIP_SUBSCRIBER, s->slept_at = -1;
    c->takes_part |= kind == SLIP_SUBSCRIBER;
    int64_t tail;
    int result = slip_tail(c, &tail);
    if (result != SLIP_OK) {
        return result;
    }
    int64_t kept = slip_max(0, slip_get(c, SLIP_LIMIT_AT) - c->capacity);
    s->next = start == SLIP_NEWEST ? tail : slip_landmark_from(c, kept, tail);
    if ((result = slip_attach(c, &s->slot, kind, name, s->next, patience_nanos)) != SLIP_OK) {
        return result;
    }
    if (kind != SLIP_OBSERVER) {
        atomic_thread_fence(memory_order_seq_cst);
        slip_tail(c, &tail);
        kept = slip_max(0, slip_get(c, SLIP_ANNOUNCED_AT) - c->capacity);
        s->next = start == SLIP_NEWEST ? tail : slip_landmark_from(c, kept, tail);
        slip_set(c, slip_slot_at(s->slot.index) + 128, s->next);
        SLIP_POINT("join settled");
    }
    return SLIP_OK;
}

static inline void slip_look_for_hole(slip_subscriber *s) {
    slip_channel *c = s->channel;
    if (c->many) {
        uint64_t stamp = slip_stamp(c, s->next);
        int owner = slip_stamp_owner(stamp);
        if (slip_stamp_is(stamp, slip_lap(c, s->next)) && (stamp & 3) == SLIP_CLAIMED && owner < c->parties
                && !slip_is_ours(c, owner)) {
            slip_bury_if_dead(c, owner);
        }
    }
}

static inline bool slip_overwritten(const slip_subscriber *s) {
    atomic_thread_fence(memory_order_acquire);
    return s->next < slip_get(s->channel, SLIP_LIMIT_AT) - s->channel->capacity;
}

static inline int slip_go_on(slip_subscriber *s, int64_t oldest) {
    int64_t kept = slip_get(s->channel, SLIP_LIMIT_AT) - s->channel->capacity;
    int64_t tail = slip_get(s->channel, SLIP_TAIL_AT);
    if (tail < 0 || tail % SLIP_ALIGNMENT != 0 || tail < kept) {
        return slip_fail(s->channel, SLIP_CORRUPT, "the channel ends before what is kept of it");
    }
    int64_t left = slip_max(s->next, slip_landmark_from(s->channel, slip_max(0, oldest), tail));
    s->missed += left - s->next;
    s->next = left;
    return SLIP_OK;
}

static inline int slip_observe(slip_subscriber *s, const void **message, int64_t *length) {
    slip_channel *c = s->channel;
    int64_t at = slip_slot_at(s->slot.index);
    if (slip_state(c, s->slot.index) == (s->slot.state | SLIP_DROPPED)) {
        s->drops++;
        if (slip_overwritten(s)) slip_go_on(s, slip_get(c, SLIP_LIMIT_AT) - c->capacity * 3 / 4);
        slip_set(c, at + 128, s->next);
        slip_cas(c, at, s->slot.state | SLIP_DROPPED, s->slot.state);
        atomic_thread_fence(memory_order_seq_cst);
        if (s->next < slip_get(c, SLIP_ANNOUNCED_AT) - c->capacity) slip_go_on(s,
                slip_get(c, SLIP_ANNOUNCED_AT) - c->capacity);
    }
    for (;;) {
        int64_t frame;
        int result = SLIP_OK;
        if (slip_overwritten(s) && (result = slip_go_on(s,
                slip_get(c, SLIP_LIMIT_AT) - c->capacity * 3 / 4)) != SLIP_OK) {
            return result;
        }
        result = slip_frame(c, s->next, &frame);
        if (slip_overwritten(s)) continue;
        if (result != SLIP_OK) return result;
        if (frame == 0) {
            slip_set(c, at + 128, s->next);
            return 0;
        }
        if (frame > 0) {
            if (frame > s->buffer_bytes) {
                char *buffer = (char *) realloc(s->buffer, (size_t) frame);
                if (buffer == NULL) return slip_fail(c, SLIP_SYSTEM, "no memory for a message");
                s->buffer = buffer, s->buffer_bytes = frame;
            }
            memcpy(s->buffer, c->base + slip_offset(c, s->next), (size_t) frame);
            if (slip_overwritten(s)) continue;
        }
        s->next += frame < 0 ? -frame : slip_align(frame);
        if (frame > 0) {
            *message = s->buffer + SLIP_HEADER_BYTES, *length = frame - SLIP_HEADER_BYTES;
            slip_set(c, at + 128, s->next);
            return 1;
        }
    }
}

/*
 * Looks for the next message. Returns 1 and where it is, 0 if there is none now, or a negative code. A subscriber calls
 * slip_pass when it has
 * read the message; an observer has a copy, which is valid until its next poll.
 */
static inline int slip_poll(slip_subscriber *s, const void **message, int64_t *length) {
    slip_channel *c = s->channel;
    *message = NULL, *length = 0;
    if (!slip_owned(&s->slot)) {
        return slip_fail(c, SLIP_DETACHED, "this reader does not own its slot any more");
    }
    int result;
    if (s->observes) {
        result = slip_observe(s, message, length);
    } else {
        int64_t frame, end = s->next + c->capacity;
        while ((result = slip_frame(c, s->next, &frame)) == SLIP_OK && frame < 0 && s->next < end) {
            s->next -= frame;
            slip_set(c, slip_slot_at(s->slot.index) + 128, s->next);
            SLIP_POINT("skipped");
        }
        if (result == SLIP_OK && frame > 0) {
            *message = c->base + slip_offset(c, s->next) + SLIP_HEADER_BYTES, *length = frame - SLIP_HEADER_BYTES;
            result = 1;
        }
    }
    if (result == 0 && (++s->empty_polls & 1023) == 64) {
        slip_look_for_hole(s);
    }
    return result;
}

/* Moves a subscriber behind the message that slip_poll has returned, whose length it is told. */
static inline void slip_pass(slip_subscriber *s, int64_t length) {
    if (!s->observes) {
        SLIP_POINT("pass before");
        s->next += slip_align(SLIP_HEADER_BYTES + length);
        slip_set(s->channel, slip_slot_at(s->slot.index) + 128, s->next);
        SLIP_POINT("pass after");
    }
}

/*
 * Sleeps until something is published; the caller has found nothing and polls again afterwards. A publisher that may
 * not call native code
 * wakes nobody, and one that was killed does not either; so the first sleep after a message is short, and none is
 * longer than 4 ms.
 */
static inline void slip_sleep(slip_subscriber *s) {
    slip_channel *c = s->channel;
    int64_t armed = slip_slot_at(s->slot.index) + 192, frame = 0;
    if (!s->sleeps) {
        s->sleeps = true;
        slip_set_sleeper(c, s->slot.index, true);
    }
    s->sleep_nanos = s->slept_at == s->next ? slip_min(2 * s->sleep_nanos, 4000000) : 50000;
    s->slept_at = s->next;
    slip_look_for_hole(s);
    slip_set(c, armed, 1);
    atomic_thread_fence(memory_order_seq_cst);
    if (slip_frame(c, s->next, &frame) == SLIP_OK && frame == 0) {
        struct timespec time = {0, s->sleep_nanos};
        syscall(SYS_futex, c->base + armed, FUTEX_WAIT, 1, &time, NULL, 0);
    }
    slip_set(c, armed, 0);
}

static inline void slip_subscriber_detach(slip_subscriber *s) {
    slip_detach(&s->slot);
    free(s->buffer);
    s->buffer = NULL;
}

#endif
