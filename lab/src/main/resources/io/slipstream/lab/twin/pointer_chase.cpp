// A pointer chase through working sets of growing size: the twin of PointerChase.
// Arguments: loads, largest size in bytes, processor, pages (default, huge). Then, for each size that is asked for on a
// line of standard input, it prints the nanoseconds of a load; it ends with its input.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <pthread.h>
#include <random>
#include <sys/mman.h>
#include <utility>
#include <vector>

struct alignas(64) Line {
  const Line* next;
};

static const size_t HUGE_PAGE = 2 << 20;
static const long SMALLEST = 1 << 13;
static const long LARGEST_CACHED = 1 << 26;

static const Line* chase(const Line* line, long loads) {
  for (long i = 0; i < loads; i++) line = line->next;
  return line;
}

static void circle(Line* lines, size_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(42);
  for (size_t i = count - 1; i > 0; i--) std::swap(order[i], order[random() % i]);
  for (size_t i = 0; i < count; i++) lines[i].next = &lines[order[i]];
}

int main(int, char** argv) {
  const long loads = atol(argv[1]), largest = atol(argv[2]);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(atoi(argv[3]), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  // One region for all circles, aligned as the heap of a JVM is, so that both get pages of the same kind.
  const size_t bytes = (2 * largest + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  Line* memory = static_cast<Line*>(std::aligned_alloc(HUGE_PAGE, bytes));
  if (memory == nullptr) return 1;
#if defined(MADV_HUGEPAGE)
  if (argv[4][0] == 'h' && madvise(memory, bytes, MADV_HUGEPAGE) != 0) return 1;
#endif
  std::map<long, const Line*> places;
  for (long size = SMALLEST; size <= largest; size *= 2) {
    circle(memory, size / sizeof(Line));
    places[size] = memory;
    memory += size / sizeof(Line);
  }
  long size;
  while (scanf("%ld", &size) == 1) {
    const auto found = places.find(size);
    if (found == places.end()) return 1;
    const Line* place = chase(found->second, size <= LARGEST_CACHED ? size / sizeof(Line) : loads / 4);
    const auto start = std::chrono::steady_clock::now();
    place = chase(place, loads);
    const double nanos = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    if (place == nullptr) return 1;
    found->second = place;
    printf("%.4f\n", nanos / loads);
    fflush(stdout);
  }
  return 0;
}
