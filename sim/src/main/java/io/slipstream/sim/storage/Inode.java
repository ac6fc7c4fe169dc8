package io.slipstream.sim.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** The content of one file: what a read sees, what is safe, and all the versions of each sector between the two. */
final class Inode {
    static final int SECTOR = 512;
    private static final int PAGE = 4096;

    private byte[] now = {};
    private byte[] safe = {};
    private final TreeMap<Integer, List<Version>> dirty = new TreeMap<>();
    private final TreeSet<Integer> dropped = new TreeSet<>();

    /** A sector as it was after a write. */
    private record Version(long time, byte[] content) {}

    /** How the sectors that were not forced come out of a loss of power. */
    enum Loss {
        /** Each sector in any version. */
        BY_SECTOR,
        /** Each page in any version. */
        BY_PAGE,
        /** All as they were at some time. */
        BY_TIME,
        /** Nothing but what was forced. */
        ALL_OLD,
        /** All that was written. */
        ALL_NEW
    }

    static Inode of(byte[] content) {
        Inode inode = new Inode();
        inode.now = content.clone();
        inode.safe = content.clone();
        return inode;
    }

    int size() {
        return now.length;
    }

    byte[] content() {
        return now;
    }

    int dirtySectors() {
        return dirty.size();
    }

    void write(byte[] bytes, int position, long time) {
        int end = position + bytes.length;
        if (end > now.length) {
            now = Arrays.copyOf(now, end);
        }
        System.arraycopy(bytes, 0, now, position, bytes.length);
        for (int sector = position / SECTOR; sector * SECTOR < end; sector++) {
            dirty.computeIfAbsent(sector, key -> new ArrayList<>()).add(new Version(time, sector(now, sector)));
            dropped.remove(sector);
        }
    }

    void truncate(int size) {
        now = Arrays.copyOf(now, Math.min(size, now.length));
        dirty.tailMap(now.length / SECTOR + 1).clear();
    }

    void force() {
        resizeSafe();
        dirty.keySet().forEach(this::forceSector);
        dirty.clear();
    }

    /** Forces the sectors that hold {@code count} bytes from {@code position} on, and no others. */
    void force(int position, int count) {
        if (count > 0) {
            resizeSafe();
            var forced = dirty.subMap(position / SECTOR, true, (position + count - 1) / SECTOR, true);
            forced.keySet().forEach(this::forceSector);
            forced.clear();
        }
    }

    /** Writes some dirty sectors and forgets that the others are dirty. */
    void failForce(RandomGenerator random) {
        resizeSafe();
        for (int sector : dirty.keySet()) {
            if (random.nextBoolean()) {
                forceSector(sector);
            } else {
                dropped.add(sector);
            }
        }
        dirty.clear();
    }

    void lose(int offset) {
        lose(offset, Integer.MAX_VALUE - offset);
    }

    void lose(int offset, int bytes) {
        Arrays.fill(safe, Math.min(offset, safe.length), Math.min(offset + bytes, safe.length), (byte) 0);
        Arrays.fill(now, Math.min(offset, now.length), Math.min(offset + bytes, now.length), (byte) 0);
    }

    void overwrite(int offset, byte[] bytes) {
        overwrite(safe, offset, bytes);
        overwrite(now, offset, bytes);
    }

    private static void overwrite(byte[] content, int offset, byte[] bytes) {
        int from = Math.min(offset, content.length);
        System.arraycopy(bytes, 0, content, from, Math.min(bytes.length, content.length - from));
    }

    void flip(int bit) {
        safe[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        now[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }

    /**
     * Returns what is there after the process was killed: the system goes on and writes back what it still knows as
     * dirty.
     */
    Inode afterKill(RandomGenerator random) {
        Inode survivor = new Inode();
        survivor.now = now.clone();
        survivor.safe = safe.clone();
        dirty.forEach((sector, versions) -> survivor.dirty.put(sector, new ArrayList<>(versions)));
        for (int sector : dropped) {
            if (random.nextBoolean()) {
                put(survivor.now, sector, sector(safe, sector));
            } else {
                survivor.dropped.add(sector);
            }
        }
        return survivor;
    }

    /** Returns what is there after a loss of power. */
    Inode afterPowerLoss(Loss loss, long time, RandomGenerator random) {
        boolean newSize = loss == Loss.ALL_NEW || loss != Loss.ALL_OLD && random.nextBoolean();
        byte[] content = Arrays.copyOf(safe, newSize || now.length < safe.length ? now.length : safe.length);
        long pageTime = 0;
        int page = -1;
        for (var entry : dirty.entrySet()) {
            int sector = entry.getKey();
            List<Version> versions = entry.getValue();
            if (sector * SECTOR / PAGE != page) {
                page = sector * SECTOR / PAGE;
                pageTime = random.nextBoolean() ? 0 : random.nextLong(time + 1) + 1;
            }
            long upTo = switch (loss) {
                case BY_SECTOR -> random.nextBoolean() ? 0 : versions.get(random.nextInt(versions.size())).time;
                case BY_PAGE -> pageTime;
                case BY_TIME -> time;
                case ALL_OLD -> 0;
                case ALL_NEW -> Long.MAX_VALUE;
            };
            for (Version version : versions) {
                if (version.time <= upTo) {
                    put(content, sector, version.content);
                }
            }
        }
        return of(content);
    }

    /**
     * Returns what is there if of the dirty sectors those survived whose bits, from {@code firstBit} on, are set in a
     * mask.
     */
    Inode afterPowerLoss(long mask, int firstBit) {
        byte[] content = Arrays.copyOf(safe, now.length);
        int bit = firstBit;
        for (int sector : dirty.keySet()) {
            if ((mask >>> bit++ & 1) != 0) {
                put(content, sector, sector(now, sector));
            }
        }
        return of(content);
    }

    private void resizeSafe() {
        if (safe.length != now.length) {
            safe = Arrays.copyOf(safe, now.length);
        }
    }

    private void forceSector(int sector) {
        int from = Math.min(now.length, sector * SECTOR);
        System.arraycopy(now, from, safe, from, Math.min(SECTOR, now.length - from));
    }

    private static byte[] sector(byte[] content, int sector) {
        int from = Math.min(content.length, sector * SECTOR);
        return Arrays.copyOfRange(content, from, Math.min(content.length, from + SECTOR));
    }

    private static void put(byte[] content, int sector, byte[] bytes) {
        int from = sector * SECTOR;
        if (from < content.length) {
            System.arraycopy(bytes, 0, content, from, Math.min(bytes.length, content.length - from));
        }
    }
}
