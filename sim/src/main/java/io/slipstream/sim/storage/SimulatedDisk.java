package io.slipstream.sim.storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A folder on a disk in memory. It outlives the processes that use it, each through a {@link SimulatedStorage} of its
 * own.
 *
 * <p>For one thread.
 */
public final class SimulatedDisk {
    private final TreeMap<String, Inode> names = new TreeMap<>();
    private final TreeMap<String, Inode> safeNames = new TreeMap<>();
    private final List<NameChange> changes = new ArrayList<>();
    private long time;

    /** A change of names that may be lost as long as the folder was not synced. */
    private record NameChange(String removed, String added, Inode inode) {
        void apply(Map<String, Inode> target) {
            if (!removed.isEmpty()) {
                target.remove(removed);
            }
            if (!added.isEmpty()) {
                target.put(added, inode);
            }
        }
    }

    /** Creates an empty disk. */
    public SimulatedDisk() {}

    /** Returns the names of the files, sorted. */
    public List<String> list() {
        return List.copyOf(names.keySet());
    }

    /** Returns what a read of the whole file sees. */
    public byte[] content(String name) {
        return inode(name).content().clone();
    }

    /** Puts a file there that is safe at once. */
    public void put(String name, byte[] content) {
        Inode inode = Inode.of(content);
        names.put(name, inode);
        safeNames.put(name, inode);
    }

    /** Flips one bit of a file, on the disk itself. */
    public void flip(String name, int bit) {
        inode(name).flip(bit);
    }

    /** Loses all bytes of a file from {@code offset} on: zeros are in their place. */
    public void lose(String name, int offset) {
        inode(name).lose(offset);
    }

    /** Loses {@code bytes} bytes of a file from {@code offset} on: zeros are in their place. */
    public void lose(String name, int offset, int bytes) {
        inode(name).lose(offset, bytes);
    }

    /** Puts other bytes into a file from {@code offset} on, on the disk itself. */
    void overwrite(String name, int offset, byte[] bytes) {
        inode(name).overwrite(offset, bytes);
    }

    /** Returns the bytes of all files. */
    public long usedBytes() {
        return names.values().stream().mapToLong(Inode::size).sum();
    }

    /** Returns the disk after its process was killed. */
    public SimulatedDisk kill(RandomGenerator random) {
        SimulatedDisk after = new SimulatedDisk();
        Map<Inode, Inode> survivors = new LinkedHashMap<>();
        names.forEach(
                (name, inode) -> after.names.put(name, survivors.computeIfAbsent(inode, key -> key.afterKill(random))));
        safeNames.forEach((name, inode) ->
                after.safeNames.put(name, survivors.computeIfAbsent(inode, key -> key.afterKill(random))));
        for (NameChange change : changes) {
            after.changes.add(new NameChange(
                    change.removed,
                    change.added,
                    survivors.computeIfAbsent(change.inode, key -> key.afterKill(random))));
        }
        after.time = time;
        return after;
    }

    /** Returns one of the states in which the disk may be after a loss of power. */
    public SimulatedDisk powerLoss(RandomGenerator random) {
        Inode.Loss[] losses = Inode.Loss.values();
        Inode.Loss loss = losses[random.nextInt(losses.length)];
        long lossTime = random.nextLong(time + 1);
        SimulatedDisk after = new SimulatedDisk();
        survivingNames(random).forEach((name, inode) -> after.bind(name, inode.afterPowerLoss(loss, lossTime, random)));
        return after;
    }

    /**
     * Returns all states in which the sectors may be after a loss of power, if each is there or not and the names are
     * all there; if they are more than {@code max}, that many at random.
     */
    public List<SimulatedDisk> powerLosses(int max, RandomGenerator random) {
        int sectors = names.values().stream().mapToInt(Inode::dirtySectors).sum();
        List<SimulatedDisk> states = new ArrayList<>();
        if (sectors < Integer.SIZE - 1 && 1 << sectors <= max) {
            for (long mask = 0; mask < 1L << sectors; mask++) {
                states.add(powerLoss(mask));
            }
        } else {
            for (int i = 0; i < max; i++) {
                states.add(powerLoss(random));
            }
        }
        return states;
    }

    long tick() {
        return ++time;
    }

    Inode inode(String name) {
        Inode inode = names.get(name);
        if (inode == null) {
            throw new IllegalArgumentException("no file " + name);
        }
        return inode;
    }

    boolean exists(String name) {
        return names.containsKey(name);
    }

    Inode create(String name) {
        Inode inode = new Inode();
        change(new NameChange("", name, inode));
        return inode;
    }

    void rename(String from, String to) {
        change(new NameChange(from, to, inode(from)));
    }

    void delete(String name) {
        change(new NameChange(name, "", inode(name)));
    }

    void syncNames() {
        safeNames.clear();
        safeNames.putAll(names);
        changes.clear();
    }

    private SimulatedDisk powerLoss(long mask) {
        SimulatedDisk after = new SimulatedDisk();
        int bit = 0;
        for (var entry : names.entrySet()) {
            after.bind(entry.getKey(), entry.getValue().afterPowerLoss(mask, bit));
            bit += entry.getValue().dirtySectors();
        }
        return after;
    }

    private Map<String, Inode> survivingNames(RandomGenerator random) {
        TreeMap<String, Inode> surviving = new TreeMap<>(safeNames);
        boolean inOrder = random.nextBoolean();
        int prefix = random.nextInt(changes.size() + 1);
        for (int i = 0; i < changes.size(); i++) {
            if (inOrder ? i < prefix : random.nextBoolean()) {
                changes.get(i).apply(surviving);
            }
        }
        return surviving;
    }

    private void change(NameChange change) {
        change.apply(names);
        changes.add(change);
    }

    private void bind(String name, Inode inode) {
        names.put(name, inode);
        safeNames.put(name, inode);
    }
}
