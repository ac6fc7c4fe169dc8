// A number to and fro between two threads over two padded atomics; prints the median and the 99.9 % of the round trips in nanoseconds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

struct alignas(256) Padded { std::atomic<long> value{-1}; };

static Padded there, back;

int main(int, char** arguments) {
  const long count = std::atol(arguments[1]);
  std::thread partner([count] {
    for (long i = 0; i < count; i++) {
      while (there.value.load(std::memory_order_acquire) != i) pause();
      back.value.store(i, std::memory_order_release);
    }
  });
  std::vector<long> nanos(count);
  for (long i = 0; i < count; i++) {
    auto begin = std::chrono::steady_clock::now();
    there.value.store(i, std::memory_order_release);
    while (back.value.load(std::memory_order_acquire) != i) pause();
    nanos[i] = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
  }
  partner.join();
  std::sort(nanos.begin(), nanos.end());
  std::printf("%ld %ld\n", nanos[count / 2], nanos[static_cast<long>(count * 0.999)]);
}
