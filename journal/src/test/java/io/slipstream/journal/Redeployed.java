package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.testkit.Opened;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A program in a container: journals that write, read, roll, trim and take snapshots, and end without the process. */
public final class Redeployed {
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 1000;
    private static final int RECORDS = 300;

    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            for (WriteMode mode : WriteMode.values()) {
                Path folder = Path.of(arguments[0], mode.name());
                use(
                        opened.add(Journal.open(
                                folder,
                                JournalConfig.at(Durability.PROCESS)
                                        .withSegmentBytes(1 << 16)
                                        .withWriteMode(mode))),
                        opened);
            }
        }
    }

    private static void use(Journal journal, Opened opened) throws Exception {
        opened.add(journal.tailer("redeployed"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(Frame.align(LENGTH), Frame.HEADER_BYTES);
            for (int i = 0; i < RECORDS; i++) {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(frame, 0, Frame.align(LENGTH));
                journal.commit();
            }
            try (SnapshotWriter writer =
                    journal.snapshots().begin(journal.durableSequence().getAcquire())) {
                writer.commit();
            }
        }
        journal.read(1, (memory, offset, length) -> {});
    }
}
