/*
 * What the machine gives: appends records as a journal does, and nothing else. Each is copied, gets an epoch, a sequence
 * and a CRC-32C by the processor's instruction, into files that were filled before the time begins.
 *
 *   journal-floor mapped|write FILE RECORDS PAYLOAD_BYTES
 *
 * "mapped" stores into a mapping; "write" collects 8 KB and writes them at their place. Prints the nanoseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRC(crc, word) ((uint32_t) _mm_crc32_u64(crc, word))
#elif defined(__aarch64__)
#include <arm_acle.h>
#define CRC(crc, word) __crc32cd(crc, word)
#endif

enum { HEADER = 24, ALIGNMENT = 16, SEGMENT = 64 << 20, BUFFER = 8 << 10 };

static void require(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "journal-floor: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void seal(uint8_t *frame, uint32_t length, uint32_t aligned, uint64_t sequence) {
    uint64_t word;
    memcpy(&word, frame + 8, 8);
    word = (word & 0xFFFFFFFFu) | 1ULL << 32;
    memcpy(frame + 8, &word, 8);
    memcpy(frame + 16, &sequence, 8);
    memset(frame + length, 0, aligned - length);
    uint32_t crc = ~0u;
    for (uint32_t at = 8; at < aligned; at += 8) {
        memcpy(&word, frame + at, 8);
        crc = CRC(crc, word);
    }
    crc = ~crc ^ length * 0x9E3779B9u;
    memcpy(frame + 4, &crc, 4);
    __atomic_store_n((uint32_t *) frame, length, __ATOMIC_RELEASE);
}

int main(int argc, char **argv) {
    require(argc == 5, "mapped|write FILE RECORDS PAYLOAD_BYTES");
    int mapped = strcmp(argv[1], "mapped") == 0;
    uint64_t records = strtoull(argv[3], NULL, 10);
    uint32_t length = HEADER + strtoul(argv[4], NULL, 10);
    uint32_t aligned = (length + ALIGNMENT - 1) & -ALIGNMENT;
    uint64_t perSegment = SEGMENT / aligned;
    uint64_t segments = (records + perSegment - 1) / perSegment;

    int file = open(argv[2], O_CREAT | O_TRUNC | O_RDWR, 0600);
    require(file >= 0, argv[2]);
    uint8_t *zeros = calloc(1, 1 << 20);
    for (uint64_t at = 0; at < segments * SEGMENT; at += 1 << 20) {
        require(pwrite(file, zeros, 1 << 20, at) == 1 << 20, "fill");
    }
    uint8_t *source = aligned_alloc(64, (aligned + 63) & -64);
    memset(source, 7, aligned);
    uint8_t *buffer = aligned_alloc(4096, BUFFER + 4096);

    int64_t begin = now();
    uint64_t sequence = 0;
    for (uint64_t segment = 0; segment < segments; segment++) {
        uint64_t start = segment * SEGMENT;
        uint64_t last = sequence + perSegment < records ? sequence + perSegment : records;
        if (mapped) {
            uint8_t *memory = mmap(NULL, SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED, file, start);
            require(memory != MAP_FAILED, "mmap");
            for (uint8_t *frame = memory; sequence < last; frame += aligned) {
                memcpy(frame + 8, source + 8, aligned - 8);
                memcpy(frame + HEADER, &sequence, 8);
                seal(frame, length, aligned, ++sequence);
            }
            munmap(memory, SEGMENT);
        } else {
            uint64_t written = start;
            uint32_t used = 0;
            while (sequence < last) {
                memcpy(buffer + used, source, aligned);
                memcpy(buffer + used + HEADER, &sequence, 8);
                seal(buffer + used, length, aligned, ++sequence);
                used += aligned;
                if (used + aligned > BUFFER || sequence == last) {
                    require(pwrite(file, buffer, used, written) == used, "write");
                    written += used;
                    used = 0;
                }
            }
        }
    }
    printf("%lld\n", (long long) (now() - begin));
    return 0;
}
