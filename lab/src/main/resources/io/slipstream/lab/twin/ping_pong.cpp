// Two threads hand a number to and fro through two cache lines of their own: the twin of InterThreadLatency.
// Arguments: round trips, and what a waiting thread does between two looks (pause, bare).
#include "twin.h"
#include <atomic>
#include <chrono>
#include <thread>

// An instruction, as Java's Thread.onSpinWait, and never a system call.
#if defined(__x86_64__)
#include <immintrin.h>
#define PAUSE() _mm_pause()
#elif defined(__aarch64__)
#define PAUSE() asm volatile("yield" ::: "memory")
#else
#define PAUSE() static_cast<void>(0)
#endif

struct alignas(256) Line {
  std::atomic<long> value;
};

static Line ping, pong;

template <bool PAUSES>
static void await(const std::atomic<long>& line, long number) {
  while (line.load() != number) {
    if (PAUSES) PAUSE();
  }
}

template <bool PAUSES>
static int rounds(const long trips) {
  while (lab::next_round()) {
    ping.value = -1;
    pong.value = -1;
    std::thread other([trips] {
      lab::pin(1);
      for (long i = 0; i < trips; i++) {
        await<PAUSES>(ping.value, i);
        pong.value.store(i);
      }
    });
    lab::pin(0);
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < trips; i++) {
      ping.value.store(i);
      await<PAUSES>(pong.value, i);
    }
    const double nanos = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    other.join();
    if (pong.value != trips - 1) return 1;
    printf("ns/op\t%.4f\nround trips/s\t%.0f\n", nanos / trips, trips * 1e9 / nanos);
  }
  return 0;
}

int main(int, char** argv) {
  char** arguments = lab::begin(argv);
  const long trips = atol(arguments[0]);
  const bool bare = arguments[1] != nullptr && arguments[1][0] == 'b';
  return bare ? rounds<false>(trips) : rounds<true>(trips);
}
