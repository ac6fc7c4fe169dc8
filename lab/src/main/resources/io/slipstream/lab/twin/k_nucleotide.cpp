// Counts nucleotide sequences: the twin of KNucleotideCount, straightforward and with the same tables.
// Arguments: way (map, table), letters.
#include "twin.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

static std::vector<uint8_t> codes;

static uint64_t key_of(const std::string& sequence) {
  uint64_t key = 0;
  for (char c : sequence) key = key << 2 | (c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3);
  return key;
}

template <typename Add>
static void each(int length, Add add) {
  const uint64_t mask = (1ULL << (2 * length)) - 1;
  uint64_t key = 0;
  for (int i = 0; i < length - 1; i++) key = key << 2 | codes[i];
  for (size_t i = length - 1; i < codes.size(); i++) {
    key = (key << 2 | codes[i]) & mask;
    add(key);
  }
}

struct Map {
  std::unordered_map<uint64_t, long> counts;
  explicit Map(int length) {
    each(length, [this](uint64_t key) { counts[key]++; });
  }
  long get(uint64_t key) const {
    auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }
};

struct Table {
  bool direct;
  std::vector<int64_t> table;
  size_t used = 0;
  explicit Table(int length) : direct(2 * length <= 16), table(direct ? 1ULL << (2 * length) : 1 << 12) {
    if (direct) {
      each(length, [this](uint64_t key) { table[key]++; });
    } else {
      each(length, [this](uint64_t key) { add(key); });
    }
  }
  static size_t slot(const std::vector<int64_t>& table, int64_t stored) {
    const size_t mask = table.size() - 2;
    size_t slot = (((uint64_t)stored * 0x9E3779B97F4A7C15ULL) >> (64 - __builtin_ctzll(table.size()))) & mask;
    while (table[slot] != 0 && table[slot] != stored) slot = (slot + 2) & mask;
    return slot;
  }
  void add(uint64_t key) {
    const size_t at = slot(table, key + 1);
    if (table[at] == 0) {
      table[at] = key + 1;
      used++;
    }
    table[at + 1]++;
    if (used > table.size() / 4) {
      std::vector<int64_t> larger(table.size() * 2);
      for (size_t i = 0; i < table.size(); i += 2) {
        if (table[i] != 0) {
          const size_t to = slot(larger, table[i]);
          larger[to] = table[i];
          larger[to + 1] = table[i + 1];
        }
      }
      table.swap(larger);
    }
  }
  long get(uint64_t key) const { return direct ? table[key] : table[slot(table, key + 1) + 1]; }
};

// The single nucleotides and the pairs are all counted and sorted, the longer ones looked up, as in the task.
template <typename Counts>
static long report() {
  long probe = 0;
  for (int length = 1; length <= 2; length++) {
    Counts counts(length);
    std::vector<std::pair<long, uint64_t>> sorted;
    for (uint64_t key = 0; key < (1ULL << (2 * length)); key++) sorted.emplace_back(-counts.get(key), key);
    std::sort(sorted.begin(), sorted.end());
    asm volatile("" : : "r"(sorted.data()) : "memory");
  }
  for (const char* sequence : {"GGT", "GGTA", "GGTATT", "GGTATTTTAATT", "GGTATTTTAATTTATAGT"}) {
    Counts counts(strlen(sequence));
    const long found = counts.get(key_of(sequence));
    asm volatile("" : : "r"(found));
    if (strlen(sequence) == 6) probe = found;
  }
  return probe;
}

int main(int, char** argv) {
  char** arguments = lab::begin(argv);
  const bool map = arguments[0][0] == 'm';
  codes.resize(atol(arguments[1]));
  uint64_t state = 42;
  for (auto& code : codes) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    code = state >> 62;
  }
  while (lab::next_round()) {
    const auto start = std::chrono::steady_clock::now();
    const long probe = map ? report<Map>() : report<Table>();
    const double millis = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    printf("ms\t%.4f\nGGTATT found\t%ld\n", millis, probe);
  }
  return 0;
}
