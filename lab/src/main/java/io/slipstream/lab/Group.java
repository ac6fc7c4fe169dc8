package io.slipstream.lab;

import java.util.Locale;

/** What an experiment is about; {@code lab run memory} runs a group. */
public enum Group {
    MACHINE("The machine itself"),
    MEMORY("Memory and caches"),
    THREADS("Threads that meet"),
    FLOW("Queues and flow"),
    IO("Files"),
    NETWORK("Network"),
    JVM("The JVM"),
    DATA("Data and algorithms");

    private final String title;

    Group(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** The name used on the command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
