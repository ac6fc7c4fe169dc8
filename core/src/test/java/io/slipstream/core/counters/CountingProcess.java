package io.slipstream.core.counters;

import java.nio.file.Path;

/**
 * Counts, says so, and waits to be killed; or, without an argument, makes the default file, waits for a line and ends
 * without closing it.
 */
final class CountingProcess {
    private CountingProcess() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            Counters.createDefault(1).add(CounterType.COUNT, "child", "events");
            System.out.println("counted");
            System.in.read();
            System.exit(0);
        }
        Counters counters = Counters.create(Path.of(args[0]), 1);
        Counter events = counters.add(CounterType.COUNT, "child", "events");
        for (int i = 0; i < 1000; i++) {
            events.addRelease(1);
        }
        System.out.println("counted");
        Thread.sleep(Long.MAX_VALUE);
    }
}
