// Threads increment one counter: the twin of AtomicCounters.
// Arguments: way (ADD, XADD, CAS), threads, increments of all threads together.
#include "twin.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

alignas(256) static std::atomic<long> counter;

// XADD and CAS run until they see the total; ADD sees no value, so its threads share the total out.
static void increment(char way, long total, int threads) {
  if (way == 'A') {
    // The result is not used, so that the compiler may choose a locked ADD.
    for (long i = 0; i < total / threads; i++) counter.fetch_add(1);
  } else if (way == 'X') {
    while (counter.fetch_add(1) + 1 < total) {
    }
  } else {
    long seen;
    do {
      // Each try reads the counter again, as the article's does.
      do {
        seen = counter.load();
      } while (!counter.compare_exchange_strong(seen, seen + 1));
    } while (seen + 1 < total);
  }
}

int main(int, char** argv) {
  char** arguments = lab::begin(argv);
  const char way = arguments[0][0];
  const int count = atoi(arguments[1]);
  const long total = atol(arguments[2]);
  while (lab::next_round()) {
    counter = 0;
    std::atomic<int> arrived{0};
    std::vector<double> first(count), last(count);
    std::vector<std::thread> threads;
    auto now = [] { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    for (int t = 0; t < count; t++) {
      threads.emplace_back([&, t] {
        lab::pin(t);
        arrived++;
        while (arrived < count) std::this_thread::yield();
        first[t] = now();
        increment(way, total, count);
        last[t] = now();
      });
    }
    for (auto& thread : threads) thread.join();
    double start = first[0], end = last[0];
    for (int t = 1; t < count; t++) {
      if (first[t] < start) start = first[t];
      if (last[t] > end) end = last[t];
    }
    const long counted = counter;
    const bool right = way == 'A' ? counted == total / count * count : counted >= total && counted < total + count;
    if (!right) return 1;
    printf("increments/s\t%.0f\n", counted * 1e9 / (end - start));
  }
  return 0;
}
