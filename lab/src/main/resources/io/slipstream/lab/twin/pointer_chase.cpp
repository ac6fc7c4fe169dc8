// A pointer chase through working sets of growing size: the twin of MemoryLatency.
// Arguments: warm-up rounds, rounds, loads, largest size in bytes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

struct alignas(64) Line {
  const Line* next;
};

static const Line* chase(const Line* line, long loads) {
  for (long i = 0; i < loads; i++) line = line->next;
  return line;
}

static std::vector<Line> circle(size_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(42);
  for (size_t i = count - 1; i > 0; i--) std::swap(order[i], order[random() % i]);
  std::vector<Line> lines(count);
  for (size_t i = 0; i < count; i++) lines[i].next = &lines[order[i]];
  return lines;
}

int main(int, char** argv) {
  const int warm_up = atoi(argv[1]), rounds = atoi(argv[2]);
  const long loads = atol(argv[3]), largest = atol(argv[4]);
  std::vector<std::vector<Line>> circles;
  for (long size = 1 << 13; size <= largest; size *= 2) circles.push_back(circle(size / sizeof(Line)));
  for (int round = 0; round < warm_up + rounds; round++) {
    for (const auto& lines : circles) {
      const Line* line = chase(lines.data(), std::min<long>(lines.size(), 4 * loads));
      const auto start = std::chrono::steady_clock::now();
      line = chase(line, loads);
      const double nanos = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
      if (line == nullptr) return 1;
      if (round >= warm_up) printf("ns/load @ %ld\t%.4f\n", (long)(lines.size() * sizeof(Line)), nanos / loads);
    }
  }
  return 0;
}
