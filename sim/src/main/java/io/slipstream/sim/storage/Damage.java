package io.slipstream.sim.storage;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Bytes that a medium gives back otherwise than they were written, without a word. */
public final class Damage {
    private static final int TRIES = 16;

    private final String file;
    private final Kind kind;
    private final int offset;
    private final byte[] sound;
    private final byte[] damaged;

    /** What has become of the bytes. */
    public enum Kind {
        /** One bit is another one. */
        FLIPPED_BIT,
        /** The drive has never written a sector, and there are zeros. */
        LOST_SECTOR,
        /** The drive has written what was meant for another place. */
        MISDIRECTED_WRITE
    }

    private Damage(String file, Kind kind, int offset, byte[] sound, byte[] damaged) {
        this.file = file;
        this.kind = kind;
        this.offset = offset;
        this.sound = sound;
        this.damaged = damaged;
    }

    /**
     * Damages one of some files, where it is not all zeros.
     *
     * @return null if no place was found where that would have changed something
     */
    public static @Nullable Damage in(SimulatedDisk disk, Kind kind, Predicate<String> files, RandomGenerator random) {
        List<String> names = disk.list().stream().filter(files).toList();
        for (int i = 0; i < TRIES && !names.isEmpty(); i++) {
            String file = names.get(random.nextInt(names.size()));
            byte[] content = disk.content(file);
            int offset = chooseSector(content, random);
            byte[] sound = sector(content, offset);
            if (!isZero(sound)) {
                byte[] damaged = switch (kind) {
                    case FLIPPED_BIT -> flipped(sound, random);
                    case LOST_SECTOR -> new byte[sound.length];
                    case MISDIRECTED_WRITE -> otherSector(disk, sound.length, random);
                };
                if (!Arrays.equals(sound, damaged)) {
                    disk.overwrite(file, offset, damaged);
                    return new Damage(file, kind, offset, sound, damaged);
                }
            }
        }
        return null;
    }

    /** Returns the name of the file. */
    public String file() {
        return file;
    }

    /** Puts the bytes back as they were, unless others were written since; returns whether it has. */
    public boolean mend(SimulatedDisk disk) {
        if (!disk.exists(file) || !Arrays.equals(sector(disk.content(file), offset), damaged)) {
            return false;
        }
        disk.overwrite(file, offset, sound);
        return true;
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " at " + offset + " of " + file;
    }

    private static int chooseSector(byte[] content, RandomGenerator random) {
        return random.nextInt(content.length / Inode.SECTOR + 1) * Inode.SECTOR;
    }

    private static byte[] sector(byte[] content, int offset) {
        return Arrays.copyOfRange(
                content, Math.min(offset, content.length), Math.min(offset + Inode.SECTOR, content.length));
    }

    private static byte[] flipped(byte[] bytes, RandomGenerator random) {
        byte[] flipped = bytes.clone();
        flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        return flipped;
    }

    /** Returns what begins a sector of any file. */
    private static byte[] otherSector(SimulatedDisk disk, int length, RandomGenerator random) {
        List<String> names = disk.list();
        byte[] content = disk.content(names.get(random.nextInt(names.size())));
        return Arrays.copyOf(sector(content, chooseSector(content, random)), length);
    }

    private static boolean isZero(byte[] bytes) {
        for (byte each : bytes) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }
}
