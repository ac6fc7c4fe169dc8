// A large memory, filled and read in plain loops: the twin of MemoryWithoutGc.
// Arguments: warm-up rounds, rounds, type (char, long), bytes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

static double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename T>
static int passes(int warm_up, int rounds, long bytes) {
  const long count = bytes / sizeof(T);
  const double begin = now();
  std::unique_ptr<T[]> memory(new T[count]);
  T* data = memory.get();
  for (long i = 0; i < count; i++) data[i] = 0;
  asm volatile("" : : "r"(data) : "memory");
  const double allocated = now();
  for (int round = 0; round < warm_up + rounds; round++) {
    const T value = (T)(round + 1);
    const double start = now();
    for (long i = 0; i < count; i++) data[i] = value;
    asm volatile("" : : "r"(data) : "memory");
    const double written = now();
    long sum = 0;
    for (long i = 0; i < count; i++) sum += data[i];
    asm volatile("" : : "r"(sum));
    const double end = now();
    if (sum != (long)value * count) return 1;
    if (round >= warm_up) {
      printf("write MB/s\t%.1f\nread MB/s\t%.1f\nallocate ms\t%.2f\n", bytes / 1e6 * 1e9 / (written - start),
             bytes / 1e6 * 1e9 / (end - written), (allocated - begin) / 1e6);
    }
  }
  return 0;
}

int main(int, char** argv) {
  const int warm_up = atoi(argv[1]), rounds = atoi(argv[2]);
  const long bytes = atol(argv[4]);
  return argv[3][0] == 'c' ? passes<signed char>(warm_up, rounds, bytes) : passes<long long>(warm_up, rounds, bytes);
}
