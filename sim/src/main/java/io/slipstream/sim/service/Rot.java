package io.slipstream.sim.service;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.sim.storage.Damage;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the disk of the service has lost without a word. A service that reads it must say so, and change nothing: then
 * an operator brings the bytes back, and all goes on. One that does not read it must not suffer from it.
 */
final class Rot {
    private static final String SNAPSHOT = ".snapshot";
    private static final Damage.Kind[] KINDS = Damage.Kind.values();

    private final Schedule schedule;
    private final Findings findings;
    private final BooleanSupplier isForced;
    private @Nullable Chance planned;
    private @Nullable Damage damage;
    private Map<String, byte[]> before = Map.of();

    /**
     * Creates it for a disk that is sound.
     *
     * @param isForced whether the service acknowledges only what the drive has confirmed
     */
    Rot(Schedule schedule, Findings findings, BooleanSupplier isForced) {
        this.schedule = schedule;
        this.findings = findings;
        this.isForced = isForced;
    }

    /** Returns whether there is some. */
    boolean isThere() {
        return damage != null;
    }

    /** Damages a file that is complete, while the service runs. */
    boolean strike(SimulatedDisk disk, Chance chance) {
        Damage.Kind kind = kind(chance);
        return damage == null
                && strike(Damage.in(disk, kind, name -> isComplete(disk, name) && isTold(kind, name), chance.random()));
    }

    /** Damages any file before the next start. */
    void plan(Chance chance) {
        planned = chance;
    }

    /** The service is about to start. */
    void begin(SimulatedDisk disk) {
        Chance chance = planned;
        planned = null;
        if (chance != null && damage == null) {
            Damage.Kind kind = kind(chance);
            // Who loses a sector of the last batch has lost all that could tell of it.
            strike(Damage.in(
                    disk,
                    kind,
                    name -> kind == Damage.Kind.FLIPPED_BIT || isTold(kind, name) && !isLastSegment(disk, name),
                    chance.random()));
        }
        before = damage == null ? Map.of() : contents(disk);
    }

    /** The service has started. */
    void started(SimulatedDisk disk) {
        Damage present = damage;
        if (present != null && !isComplete(disk, present.file())) {
            // It writes there.
            damage = null;
        }
    }

    /** Returns whether there is some, and the reason tells of it: whoever stumbles over it has not seen it. */
    boolean explains(Throwable reason) {
        return damage != null && reason instanceof JournalException;
    }

    /** The service did not start for that reason; returns whether the damage is why, and gone now. */
    boolean isWhy(SimulatedDisk disk, Throwable reason) {
        Damage present = damage;
        if (present == null || !explains(reason)) {
            return false;
        }
        String message = String.valueOf(reason.getMessage());
        String changed = changed(disk);
        findings.require(
                changed.isEmpty() || !message.contains("nothing was changed"),
                "the service does not start behind a " + present + ", and has changed" + changed + ": " + reason);
        return mend(disk);
    }

    /** Brings the bytes back, if nobody has written others there; returns whether it has. */
    boolean mend(SimulatedDisk disk) {
        Damage present = damage;
        damage = null;
        if (present == null || !present.mend(disk)) {
            return false;
        }
        schedule.trace().note("operator", "mends a " + present, 0);
        return true;
    }

    private boolean strike(@Nullable Damage struck) {
        damage = struck;
        if (struck == null) {
            return false;
        }
        schedule.trace().note("disk", "has a " + struck, 0);
        schedule.trace().fault("world", Disaster.Kind.BIT_ROT.name(), 0);
        return true;
    }

    /** Returns the names of files that are no longer as they were before the start, each with a space before it. */
    private String changed(SimulatedDisk disk) {
        Map<String, byte[]> now = contents(disk);
        Set<String> names = new TreeSet<>(now.keySet());
        names.addAll(before.keySet());
        return names.stream()
                .filter(name -> !Arrays.equals(now.get(name), before.get(name)))
                .map(name -> " " + name)
                .collect(Collectors.joining());
    }

    /**
     * Returns whether damage of that kind can be told from what a loss of power leaves. Of a log that is not forced
     * that takes any sector which the drive has not confirmed, also one in the middle.
     */
    private boolean isTold(Damage.Kind kind, String name) {
        return kind == Damage.Kind.FLIPPED_BIT || isForced.getAsBoolean() || !isSegment(name);
    }

    private static Damage.Kind kind(Chance chance) {
        return KINDS[chance.random().nextInt(KINDS.length)];
    }

    private static boolean isComplete(SimulatedDisk disk, String name) {
        return name.endsWith(SNAPSHOT) || isSegment(name) && !isLastSegment(disk, name);
    }

    /** Those behind it have a name already, and are empty. */
    private static boolean isLastSegment(SimulatedDisk disk, String name) {
        return isSegment(name)
                && disk.list().stream()
                        .filter(each -> isSegment(each) && each.compareTo(name) > 0)
                        .allMatch(each -> disk.content(each)[0] == 0);
    }

    private static boolean isSegment(String name) {
        return name.startsWith("segment-") && name.endsWith(".journal");
    }

    private static Map<String, byte[]> contents(SimulatedDisk disk) {
        Map<String, byte[]> contents = new TreeMap<>();
        disk.list().forEach(name -> contents.put(name, disk.content(name)));
        return contents;
    }
}
