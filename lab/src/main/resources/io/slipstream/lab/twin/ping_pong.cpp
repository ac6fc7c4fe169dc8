// Two threads hand a number to and fro through two cache lines of their own: the twin of InterThreadLatency.
// Arguments: round trips.
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

int main(int, char** argv) {
  const long trips = atol(lab::begin(argv)[0]);
  while (lab::next_round()) {
    ping.value = -1;
    pong.value = -1;
    std::thread other([trips] {
      lab::pin(1);
      for (long i = 0; i < trips; i++) {
        while (ping.value.load() != i) PAUSE();
        pong.value.store(i);
      }
    });
    lab::pin(0);
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < trips; i++) {
      ping.value.store(i);
      while (pong.value.load() != i) PAUSE();
    }
    const double nanos = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    other.join();
    if (pong.value != trips - 1) return 1;
    printf("ns/op\t%.4f\nround trips/s\t%.0f\n", nanos / trips, trips * 1e9 / nanos);
  }
  return 0;
}
