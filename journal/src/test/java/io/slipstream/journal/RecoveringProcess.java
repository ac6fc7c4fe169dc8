package io.slipstream.journal;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import java.io.PrintStream;
import java.nio.file.Path;

/** A process that opens a journal, checks all of it, and prints {@code recovered N} with the number of its records. */
final class RecoveringProcess {
    private RecoveringProcess() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        JournalConfig config = JournalConfig.at(Durability.PROCESS)
                .withVerification(JournalConfig.Verification.ALL)
                .withSegmentBytes(RecoveryMemoryTest.SEGMENT_BYTES);
        try (Journal journal = Journal.open(Path.of(arguments[0]), config)) {
            out.println("recovered " + journal.recovery().records());
        }
    }
}
