/*
 * A disk in memory that can lose power, as the only file of a FUSE file system: disk BYTES MOUNT_POINT ACKS
 *
 * A loop device on that file makes it a disk of the kernel. Every write is kept apart until a flush has come behind it. When the power
 * goes, the disk holds all that was flushed, and of the rest whatever chance leaves: whole writes, none, or single sectors of 512 bytes.
 *
 * ACKS is a pipe of lines of numbers, which whoever uses the disk writes as soon as it relies on something. They are read under the same
 * lock as the disk, so that those that count are just those that were written before the power went.
 *
 * Commands, one a line, from standard input; the answers go to standard output:
 *   arm SEED OPERATIONS   lose power at the so many-th write or flush from now on; 0 is never
 *   cut                   lose power now
 *                         -> cut WRITES KEPT TORN LOST ACK...   the unflushed writes, what became of them, the last line of acks
 *   reboot                go on with what the disk holds after the loss of power -> ready
 * After a loss of power, until the reboot, everything is taken and nothing is kept.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

#define SECTOR 512

struct pending {
    off_t offset;
    size_t bytes;
    char *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *mount_point;
static size_t disk_bytes;
static char *now;     /* what reads see */
static char *flushed; /* what no loss of power can take */
static struct pending *writes;
static size_t write_count, write_room;
static uint64_t random_state;
static long operations_left;
static int without_power;

static int acks;
static char ack_line[256];    /* that is not complete yet */
static size_t ack_length;
static char last_ack[256];

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        die("disk");
    }
    return memory;
}

/* SplitMix64 */
static uint64_t random_bits(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static size_t random_below(size_t bound) {
    return bound == 0 ? 0 : random_bits() % bound;
}

static void read_acks(void) {
    char bytes[4096];
    ssize_t count;
    while ((count = read(acks, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                memcpy(last_ack, ack_line, ack_length);
                last_ack[ack_length] = 0;
                ack_length = 0;
            } else if (ack_length < sizeof ack_line - 1) {
                ack_line[ack_length++] = bytes[i];
            }
        }
    }
}

static void forget_writes(void) {
    for (size_t i = 0; i < write_count; i++) {
        free(writes[i].data);
    }
    write_count = 0;
}

static void keep(const struct pending *write, size_t from, size_t to) {
    memcpy(flushed + write->offset + from, write->data + from, to - from);
}

/* What a write can come to: whole, gone, its first or last sectors, or any of them. Returns how many of its bytes are kept. */
static size_t keep_some(const struct pending *write, int how) {
    size_t sectors = (write->bytes + SECTOR - 1) / SECTOR;
    size_t at = random_below(sectors + 1) * SECTOR;
    if (at > write->bytes) {
        at = write->bytes;
    }
    switch (how) {
    case 0:
        keep(write, 0, write->bytes);
        return write->bytes;
    case 1:
        return 0;
    case 2:
        keep(write, 0, at);
        return at;
    case 3:
        keep(write, at, write->bytes);
        return write->bytes - at;
    default: {
        size_t kept = 0;
        for (size_t from = 0; from < write->bytes; from += SECTOR) {
            size_t to = from + SECTOR < write->bytes ? from + SECTOR : write->bytes;
            if (random_bits() & 1) {
                keep(write, from, to);
                kept += to - from;
            }
        }
        return kept;
    }
    }
}

static void lose_power(void) {
    size_t whole = 0, torn = 0;
    size_t all = write_count;
    int style = (int) random_below(6);
    size_t chosen = random_below(all);
    read_acks();
    for (size_t i = 0; i < all; i++) {
        int how;
        switch (style) {
        case 0: how = 1; break;                                 /* nothing that was not flushed */
        case 1: how = i == chosen ? 1 : 0; break;               /* all but one */
        case 2: how = i < chosen ? 0 : i == chosen ? 2 : 1; break; /* those before some moment */
        case 3: how = (int) random_below(2); break;             /* any */
        case 4: how = 4; break;                                 /* any sectors */
        default: how = (int) random_below(5); break;            /* everything */
        }
        size_t kept = keep_some(&writes[i], how);
        if (kept == writes[i].bytes) {
            whole++;
        } else if (kept > 0) {
            torn++;
        }
    }
    forget_writes();
    operations_left = 0;
    without_power = 1;
    printf("cut %zu %zu %zu %zu %s\n", all, whole, torn, all - whole - torn, last_ack);
    fflush(stdout);
}

/* Counts an operation; returns whether the power went with it. */
static int power_goes(void) {
    if (operations_left > 0 && --operations_left == 0) {
        lose_power();
        return 1;
    }
    return 0;
}

static void add_write(const char *data, size_t bytes, off_t offset) {
    memcpy(now + offset, data, bytes);
    if (without_power) {
        return;
    }
    if (write_count == write_room) {
        write_room = write_room == 0 ? 1024 : 2 * write_room;
        writes = realloc(writes, write_room * sizeof *writes);
        if (writes == NULL) {
            die("disk");
        }
    }
    struct pending *write = &writes[write_count++];
    write->offset = offset;
    write->bytes = bytes;
    write->data = allocate(bytes);
    memcpy(write->data, data, bytes);
    power_goes();
}

static void flush(void) {
    if (!without_power && !power_goes()) {
        for (size_t i = 0; i < write_count; i++) {
            keep(&writes[i], 0, writes[i].bytes);
        }
        forget_writes();
    }
}

static int on_getattr(const char *path, struct stat *status, struct fuse_file_info *file) {
    (void) file;
    memset(status, 0, sizeof *status);
    status->st_uid = getuid();
    status->st_gid = getgid();
    if (strcmp(path, "/") == 0) {
        status->st_mode = S_IFDIR | 0700;
        status->st_nlink = 2;
        return 0;
    }
    if (strcmp(path, "/disk") == 0) {
        status->st_mode = S_IFREG | 0600;
        status->st_nlink = 1;
        status->st_size = (off_t) disk_bytes;
        status->st_blksize = 4096;
        return 0;
    }
    return -ENOENT;
}

static int on_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
                      enum fuse_readdir_flags flags) {
    (void) path, (void) offset, (void) file, (void) flags;
    fill(buffer, "disk", NULL, 0, 0);
    return 0;
}

static int on_open(const char *path, struct fuse_file_info *file) {
    (void) path;
    file->direct_io = 1; /* no cache of the kernel between the loop device and this */
    return 0;
}

static int on_truncate(const char *path, off_t bytes, struct fuse_file_info *file) {
    (void) path, (void) file;
    return bytes == (off_t) disk_bytes ? 0 : -EPERM;
}

static size_t within(off_t offset, size_t bytes) {
    return offset >= (off_t) disk_bytes ? 0 : bytes < disk_bytes - (size_t) offset ? bytes : disk_bytes - (size_t) offset;
}

static int on_read(const char *path, char *buffer, size_t bytes, off_t offset, struct fuse_file_info *file) {
    (void) path, (void) file;
    size_t count = within(offset, bytes);
    pthread_mutex_lock(&lock);
    memcpy(buffer, now + offset, count);
    pthread_mutex_unlock(&lock);
    return (int) count;
}

static int on_write(const char *path, const char *data, size_t bytes, off_t offset, struct fuse_file_info *file) {
    (void) path, (void) file;
    size_t count = within(offset, bytes);
    if (count == 0) {
        return -ENOSPC;
    }
    pthread_mutex_lock(&lock);
    add_write(data, count, offset);
    pthread_mutex_unlock(&lock);
    return (int) count;
}

static int on_fsync(const char *path, int data_only, struct fuse_file_info *file) {
    (void) path, (void) data_only, (void) file;
    pthread_mutex_lock(&lock);
    flush();
    pthread_mutex_unlock(&lock);
    return 0;
}

/* The loop device asks for this where a file system discards blocks or wants zeros: both are writes of zeros here. */
static int on_fallocate(const char *path, int mode, off_t offset, off_t bytes, struct fuse_file_info *file) {
    (void) path, (void) mode, (void) file;
    size_t count = within(offset, (size_t) bytes);
    char *zeros = calloc(1, count > 0 ? count : 1);
    if (zeros == NULL) {
        return -ENOMEM;
    }
    pthread_mutex_lock(&lock);
    add_write(zeros, count, offset);
    pthread_mutex_unlock(&lock);
    free(zeros);
    return 0;
}

static const struct fuse_operations operations = {
    .getattr = on_getattr,
    .readdir = on_readdir,
    .open = on_open,
    .truncate = on_truncate,
    .read = on_read,
    .write = on_write,
    .fsync = on_fsync,
    .fallocate = on_fallocate,
};

/* The pipe must never be full, or its writer would wait for the disk. */
static void *listen_to_acks(void *nothing) {
    struct pollfd readable = {.fd = acks, .events = POLLIN};
    while (poll(&readable, 1, -1) >= 0 || errno == EINTR) {
        pthread_mutex_lock(&lock);
        if (!without_power) {
            read_acks();
        } else {
            char bytes[4096];
            while (read(acks, bytes, sizeof bytes) > 0) {
            }
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void obey(const char *line) {
    unsigned long long seed;
    long count;
    if (sscanf(line, "arm %llu %ld", &seed, &count) == 2) {
        random_state = seed;
        operations_left = count;
        ack_length = 0;
        last_ack[0] = 0;
    } else if (strncmp(line, "cut", 3) == 0) {
        if (!without_power) {
            lose_power();
        }
    } else if (strncmp(line, "reboot", 6) == 0) {
        forget_writes();
        memcpy(now, flushed, disk_bytes);
        operations_left = 0;
        without_power = 0;
        printf("ready\n");
        fflush(stdout);
    }
}

static void *listen_to_commands(void *nothing) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        pthread_mutex_lock(&lock);
        obey(line);
        pthread_mutex_unlock(&lock);
    }
    /*
     * Whoever gave the commands is gone. If this is the last process that sees the file system on this disk, the kernel unmounts it when
     * this ends, and must not wait for an answer of this disk then. Force says that there will be none.
     */
    umount2(mount_point, MNT_FORCE);
    exit(0);
    return nothing;
}

static char *memory_of(size_t bytes) {
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        die("disk: memory");
    }
    return memory;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: disk BYTES MOUNT_POINT ACKS\n");
        return 2;
    }
    /* Signals are for the script, which still needs the disk in order to unmount what is on it. */
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    disk_bytes = strtoull(arguments[1], NULL, 10);
    mount_point = arguments[2];
    now = memory_of(disk_bytes);
    flushed = memory_of(disk_bytes);
    acks = open(arguments[3], O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (acks < 0) {
        die(arguments[3]);
    }
    struct fuse_args fuse_arguments = FUSE_ARGS_INIT(0, NULL);
    fuse_opt_add_arg(&fuse_arguments, "disk");
    struct fuse *fuse = fuse_new(&fuse_arguments, &operations, sizeof operations, NULL);
    if (fuse == NULL || fuse_mount(fuse, mount_point) != 0) {
        return 1;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, listen_to_acks, NULL) != 0 || pthread_create(&thread, NULL, listen_to_commands, NULL) != 0) {
        die("disk: thread");
    }
    printf("ready\n");
    fflush(stdout);
    return fuse_loop_mt(fuse, 0) == 0 ? 0 : 1;
}
