// A large memory, filled and read in loops, plain or unrolled by hand: the twin of MemoryWithoutGc.
// Arguments: type (char, long), loops (plain, unrolled), bytes.
#include "twin.h"
#include <chrono>
#include <memory>

static double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename T, bool UNROLLED>
static void fill(T* data, long count, T value) {
  if (UNROLLED) {
    for (long i = 0; i < count; i += 4) {
      data[i] = value;
      data[i + 1] = value;
      data[i + 2] = value;
      data[i + 3] = value;
    }
  } else {
    for (long i = 0; i < count; i++) data[i] = value;
  }
  asm volatile("" : : "r"(data) : "memory");
}

template <typename T, bool UNROLLED>
static long sum(const T* data, long count) {
  long sum = 0;
  if (UNROLLED) {
    for (long i = 0; i < count; i += 4) {
      sum += (long)data[i] + data[i + 1] + data[i + 2] + data[i + 3];
    }
  } else {
    for (long i = 0; i < count; i++) sum += data[i];
  }
  asm volatile("" : : "r"(sum));
  return sum;
}

template <typename T, bool UNROLLED>
static int passes(long bytes) {
  const long count = bytes / sizeof(T);
  for (int round = 0; lab::next_round(); round++) {
    const T value = (T)(1 + round % 100);
    const double begin = now();
    std::unique_ptr<T[]> memory(new T[count]);
    T* data = memory.get();
    fill<T, UNROLLED>(data, count, 0);
    const double allocated = now();
    fill<T, UNROLLED>(data, count, value);
    const double written = now();
    const long total = sum<T, UNROLLED>(data, count);
    const double end = now();
    if (total != (long)value * count) return 1;
    printf("write MB/s\t%.1f\nread MB/s\t%.1f\nallocate ms\t%.2f\n", bytes / 1e6 * 1e9 / (written - allocated),
           bytes / 1e6 * 1e9 / (end - written), (allocated - begin) / 1e6);
  }
  return 0;
}

int main(int, char** argv) {
  char** arguments = lab::begin(argv);
  const bool is_char = arguments[0][0] == 'c', unrolled = arguments[1][0] == 'u';
  const long bytes = atol(arguments[2]);
  if (is_char) return unrolled ? passes<signed char, true>(bytes) : passes<signed char, false>(bytes);
  return unrolled ? passes<long long, true>(bytes) : passes<long long, false>(bytes);
}
