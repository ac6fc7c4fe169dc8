package io.slipstream.sim.journal;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** How the journal of one run is set up, from its seed: in part for the whole run, in part anew for each life. */
final class SimulatedSettings {
    private final SplittableRandom random;
    private final SplittableRandom modeRandom;
    private final boolean isConcurrent;
    private final Durability durability;
    private final int segmentBytes;
    private List<WriteMode> writeModes = List.of(WriteMode.values());

    /**
     * Chooses what holds for the whole run; {@code random} is that of the run, so that its seed gives the same run
     * again.
     */
    SimulatedSettings(long seed, SplittableRandom random) {
        this.random = random;
        this.modeRandom = new SplittableRandom(~seed);
        this.isConcurrent = (seed & 1) == 1;
        this.durability = random.nextInt(8) == 0
                ? Durability.NONE
                : random.nextInt(3) == 0 ? Durability.PROCESS : Durability.SYNC;
        this.segmentBytes = (4 + random.nextInt(5)) * 4096;
    }

    /** Returns whether what the journal does beside its owner is held back and run at some later time. */
    boolean isConcurrent() {
        return isConcurrent;
    }

    Durability durability() {
        return durability;
    }

    /** Writes in one of these ways in each life, by chance; in any if this is not called. */
    void writeIn(WriteMode... modes) {
        if (modes.length == 0) {
            throw new IllegalArgumentException("name one way of writing at least");
        }
        writeModes = List.of(modes);
    }

    /** Chooses the settings of one life. */
    JournalConfig config(SimulatedStorage storage) {
        JournalConfig config = JournalConfig.at(durability)
                .withSegmentBytes(segmentBytes)
                .withBatchBytes(4096 << random.nextInt(3))
                .withSpareSegments(random.nextInt(3))
                .withPreparedSegments(1 + random.nextInt(isConcurrent ? 4 : 2))
                .withPrepareInBackground(false)
                .withWriteMode(writeModes.get(modeRandom.nextInt(writeModes.size())));
        if (config.writeMode() != WriteMode.DIRECT && modeRandom.nextInt(3) == 0) {
            config = config.withBlockBytes(JournalConfig.MIN_BLOCK_BYTES);
        }
        return !isConcurrent
                ? config
                : config.withClock(storage.clock())
                        .withMaxSegmentAge(Duration.ofSeconds(20))
                        .withVerification(
                                random.nextBoolean()
                                        ? JournalConfig.Verification.TAIL
                                        : JournalConfig.Verification.ALL);
    }

    /** Chooses what goes wrong with the disk in one life. */
    DiskFaults faults(SimulatedDisk disk) {
        return switch (random.nextInt(4)) {
            case 0 -> new DiskFaults(0, 0.02, 0, 0.5, Long.MAX_VALUE);
            case 1 -> new DiskFaults(0, 0, 0.1, 0.1, Long.MAX_VALUE);
            case 2 -> new DiskFaults(0.01, 0, 0, 0.9, Long.MAX_VALUE);
            default -> new DiskFaults(0, 0, 0, 0.3, disk.usedBytes() + random.nextInt(6 * segmentBytes));
        };
    }
}
