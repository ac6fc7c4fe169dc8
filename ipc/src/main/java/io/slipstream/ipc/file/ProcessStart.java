package io.slipstream.ipc.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process by number and start. The number alone may be another process by now.
 *
 * @param pid   number, in the process namespace of whoever wrote it
 * @param ticks clock ticks from the boot of the machine to the start of the process, as field 22 of {@code
 *      /proc/PID/stat}; 0 if unknown
 */
public record ProcessStart(long pid, long ticks) {
    private static final ProcessStart THIS =
            new ProcessStart(ProcessHandle.current().pid(), ticksOf("self"));
    private static final int START_FIELD_AFTER_NAME = 19;

    public static ProcessStart ofThisProcess() {
        return THIS;
    }

    /** Returns whether a process of this number and start is seen from here. */
    public boolean isSeen() {
        long seen = ticksOf(Long.toString(pid));
        return seen != 0 && seen == ticks;
    }

    private static long ticksOf(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            // The name of the program is in parentheses and may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[START_FIELD_AFTER_NAME]);
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }
}
