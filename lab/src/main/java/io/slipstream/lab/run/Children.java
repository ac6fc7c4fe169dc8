package io.slipstream.lab.run;

import java.util.HashSet;
import java.util.Set;

/** The processes that were started and have not ended; none outlives the lab. */
final class Children {
    private final Set<Process> running = new HashSet<>();
    private boolean killed;

    /** After {@link #killAll} a new one dies at once. */
    synchronized void add(Process process) {
        running.removeIf(child -> !child.isAlive());
        running.add(process);
        if (killed) {
            kill(process);
        }
    }

    synchronized void remove(Process process) {
        running.remove(process);
    }

    synchronized void killAll() {
        killed = true;
        running.forEach(Children::kill);
    }

    /** With what it has started itself. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
