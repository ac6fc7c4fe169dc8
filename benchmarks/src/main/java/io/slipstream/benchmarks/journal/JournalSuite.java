package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appending, reading, committing and recovering. */
public final class JournalSuite implements Suite {
    private static final int PAYLOAD_BYTES = 100;
    private static final String FLOOR = "the same in C: copy, CRC-32C, and nothing else";
    private static final String CHRONICLE = "Chronicle Queue 2026.4, no checksum";
    private static final String WITHOUT = "ours, checksum removed";
    private static final Unit RECORDS = Unit.written("M records/s", 1e6 * PAYLOAD_BYTES);
    private static final Unit ARCHIVED = Unit.written("k records/s", 1e3 * PAYLOAD_BYTES);
    private static final Unit MEBIBYTES = Unit.written("MiB/s", 1 << 20);

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        int records = quick ? 1_500_000 : 3_000_000;
        JournalConfig process = JournalConfig.at(Durability.PROCESS);
        JournalConfig sync = JournalConfig.at(Durability.SYNC);
        List<Comparison> comparisons = new ArrayList<>(List.of(
                of(
                        quick,
                        "append 100 B, PROCESS, commit each, mapped",
                        RECORDS,
                        CHRONICLE,
                        2.5,
                        () -> new AppendContest(process.withWriteMode(WriteMode.MAPPED), PAYLOAD_BYTES, records, 1)),
                of(
                        quick,
                        "append 100 B, PROCESS, commit 64, mapped",
                        RECORDS,
                        CHRONICLE,
                        2.5,
                        () -> new AppendContest(process.withWriteMode(WriteMode.MAPPED), PAYLOAD_BYTES, records, 64)),
                of(
                        quick,
                        "append 100 B, PROCESS, commit 64, one write each",
                        RECORDS,
                        CHRONICLE,
                        null,
                        () -> new AppendContest(process, PAYLOAD_BYTES, records, 64)),
                of(
                        quick,
                        "append 100 B, mapped, beside its checksums alone",
                        RECORDS,
                        "CRC-32C of the same frames",
                        null,
                        () -> new ChecksumContest(process.withWriteMode(WriteMode.MAPPED), PAYLOAD_BYTES, records)),
                of(
                        quick,
                        "append 100 B, PROCESS, commit each, mapped",
                        RECORDS,
                        WITHOUT,
                        null,
                        () -> new ChecksumPriceContest(PAYLOAD_BYTES, records, 1)),
                of(
                        quick,
                        "append 100 B, PROCESS, commit 64, mapped",
                        RECORDS,
                        WITHOUT,
                        null,
                        () -> new ChecksumPriceContest(PAYLOAD_BYTES, records, 64)),
                of(
                        quick,
                        "read 100 B sequentially",
                        Unit.throughput("M records/s"),
                        CHRONICLE,
                        2.5,
                        () -> new ReadContest(process, PAYLOAD_BYTES, records)),
                of(
                        quick,
                        "SYNC, 1 KB records, saturating",
                        MEBIBYTES,
                        "FileChannel, 1 MB writes + force",
                        0.6,
                        () -> new SyncContest(sync, 1000, 1 << 20, 384)),
                of(
                        quick,
                        "SYNC, 1 KB records, saturating, 1 segment prepared",
                        MEBIBYTES,
                        "FileChannel, 1 MB writes + force",
                        null,
                        () -> new SyncContest(sync.withPreparedSegments(1), 1000, 1 << 20, 384)),
                of(
                        quick,
                        "SYNC, one 100 B record a commit",
                        Unit.written("commits/s", PAYLOAD_BYTES),
                        "FileChannel, 4 KB write + force",
                        0.9,
                        () -> new SyncContest(sync, PAYLOAD_BYTES, 1, quick ? 8000 : 16_000)),
                of(
                        quick,
                        "SYNC, 64 appenders of 100 B",
                        Unit.written("records/s", PAYLOAD_BYTES),
                        "each forces under a lock",
                        20.0,
                        () -> new AppendersContest(sync, PAYLOAD_BYTES, 64, quick ? 2 : 4)),
                of(
                        quick,
                        "append 100 B, PROCESS, commit each, mapped",
                        ARCHIVED,
                        "Aeron Archive 1.51, fileSyncLevel 0",
                        null,
                        () -> new ArchiveContest(
                                process.withWriteMode(WriteMode.MAPPED), 0, PAYLOAD_BYTES, records, 1, records)),
                of(
                        quick,
                        "append 1 KB, SYNC, commit each MB",
                        Unit.written("k records/s", 1e6),
                        "Aeron Archive 1.51, fileSyncLevel 1",
                        null,
                        () -> new ArchiveContest(sync, 1, 1000, quick ? 100_000 : 300_000, 1000, records)),
                of(
                        quick,
                        "append 100 B, SYNC, commit each",
                        ARCHIVED,
                        "Aeron Archive 1.51, fileSyncLevel 1",
                        null,
                        () -> new ArchiveContest(sync, 1, PAYLOAD_BYTES, quick ? 1000 : 3000, 1, 1)),
                of(
                        quick,
                        quick ? "recover 1 GB" : "recover 4 GB, heap 256 MB",
                        Unit.cost("s"),
                        "reading it once with FileChannel",
                        1.5,
                        () -> new RecoveryContest(process, PAYLOAD_BYTES, quick ? 1L << 30 : 4L << 30)),
                of(
                        quick,
                        quick ? "recover 1 GB, the tail alone" : "recover 4 GB, the tail alone",
                        Unit.cost("s"),
                        "reading it once with FileChannel",
                        null,
                        () -> new RecoveryContest(
                                process.withVerification(JournalConfig.Verification.TAIL),
                                PAYLOAD_BYTES,
                                quick ? 1L << 30 : 4L << 30))));
        if (FloorContest.isPossible()) {
            comparisons.add(of(
                    quick,
                    "append 128 B, PROCESS, commit 64, mapped",
                    RECORDS,
                    FLOOR,
                    0.6,
                    () -> new FloorContest(process.withWriteMode(WriteMode.MAPPED), "mapped", 128, records, 64)));
            comparisons.add(of(
                    quick,
                    "append 128 B, PROCESS, commit 64, one write each",
                    RECORDS,
                    FLOOR,
                    0.6,
                    () -> new FloorContest(process, "write", 128, records, 64)));
        }
        return comparisons;
    }

    /** What Chronicle Queue and Aeron ask their users to open, and a heap that is small beside the data. */
    @Override
    public List<String> jvmOptions() {
        return List.of(
                "-Xmx256m",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
                "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
                "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dchronicle.analytics.disable=true",
                "-Dchronicle.announcer.disable=true");
    }

    private static Comparison of(
            boolean quick, String name, Unit unit, String peer, @Nullable Double target, Preparation preparation) {
        return new Comparison(
                name, unit, peer, target, quick ? new Plan(1, 2, 5) : new Plan(2, 2, 5), preparation::prepare);
    }

    private interface Preparation {
        Contest prepare() throws Exception;
    }
}
