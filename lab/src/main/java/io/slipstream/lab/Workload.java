package io.slipstream.lab;

import java.io.IOException;

/** The code that is measured. Built once in a forked JVM, then called for every round on the same thread. */
@FunctionalInterface
public interface Workload extends AutoCloseable {

    /**
     * Runs one round: does the work, {@linkplain Round#record records} what it took and {@linkplain Round#check checks}
     * the result.
     */
    void run(Round round) throws Exception;

    @Override
    default void close() throws IOException {}

    /** Builds the workload inside the forked JVM; everything expensive belongs here, not in the plan. */
    @FunctionalInterface
    interface Source {
        Workload open() throws Exception;
    }
}
