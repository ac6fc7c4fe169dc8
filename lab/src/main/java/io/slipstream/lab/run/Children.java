package io.slipstream.lab.run;

import java.util.HashSet;
import java.util.Set;

/** The processes that were started and have not ended; none outlives the lab. */
final class Children {
    private final Set<Process> running = new HashSet<>();
    private boolean killed;

    /** After {@link #killAll} a new one dies at once. */
    synchronized void add(Process process) {
        running.add(process);
        if (killed) {
            process.destroyForcibly();
        }
    }

    synchronized void remove(Process process) {
        running.remove(process);
    }

    synchronized void killAll() {
        killed = true;
        running.forEach(Process::destroyForcibly);
    }
}
