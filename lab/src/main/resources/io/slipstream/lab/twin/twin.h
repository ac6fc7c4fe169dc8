// What the twins share. A twin gets the processors in the order in which its threads get them ("0,2,1,3"), then its own
// arguments. For each line of its input it runs a round and prints metric<TAB>value lines and an empty one. It ends with
// its input, and at once when the thread that started it dies.
#pragma once
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace lab {

inline std::vector<int> cpus;
inline std::atomic<int> threads{1};

// Returns the twin's own arguments.
inline char** begin(char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (char* at = argv[1]; *at != 0;) {
    cpus.push_back(strtol(at, &at, 10));
    if (*at == ',') at++;
  }
  return argv + 2;
}

// Puts the calling thread on the processor of the n-th one; without a processor of its own it stays free.
inline void pin(int member) {
  for (int seen = threads; seen <= member && !threads.compare_exchange_weak(seen, member + 1);) {
  }
  if (member >= (int)cpus.size()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpus[member], &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) {
    printf("a thread cannot be pinned to processor %d\n", cpus[member]);
    fflush(stdout);
    _exit(3);
  }
}

// Ends the former round and waits for the next; false when there is none.
inline bool next_round() {
  static bool first = true;
  if (!first) printf("threads\t%d\n\n", (int)threads);
  first = false;
  fflush(stdout);
  for (int c; (c = getchar()) != EOF;) {
    if (c == '\n') return true;
  }
  return false;
}

}  // namespace lab
