package io.slipstream.lab.machine;

import java.util.ArrayList;
import java.util.List;

/** The kernel's way of writing a set of processors: {@code "0-3,8"}. */
public final class CpuList {
    private CpuList() {}

    /** The processors in the order in which they are written; none of a text that is no such list. */
    public static List<Integer> parse(String text) {
        List<Integer> cpus = new ArrayList<>();
        if (text.matches("[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*")) {
            for (String range : text.split(",", -1)) {
                String[] ends = range.split("-", -1);
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
                    cpus.add(cpu);
                }
            }
        }
        return cpus;
    }
}
