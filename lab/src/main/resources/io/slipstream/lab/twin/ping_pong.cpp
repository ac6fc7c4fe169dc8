// Two threads hand a number to and fro through two cache lines of their own: the twin of InterThreadLatency.
// Arguments: round trips.
#include "twin.h"
#include <atomic>
#include <chrono>
#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#define PAUSE() _mm_pause()
#else
#define PAUSE() std::this_thread::yield()
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
