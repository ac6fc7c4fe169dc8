package io.slipstream.lab.run;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The processes that were started and have not ended; none outlives the lab. */
final class Children {
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  void add(Process process) {
    running.add(process);
  }

  void remove(Process process) {
    running.remove(process);
  }

  void killAll() {
    running.forEach(Process::destroyForcibly);
  }
}
