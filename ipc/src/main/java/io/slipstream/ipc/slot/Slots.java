package io.slipstream.ipc.slot;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.errors.ChannelException;
import io.slipstream.ipc.file.ChannelFile;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.file.ProcessStart;
import io.slipstream.ipc.frame.Holes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;

/**
 * Who is attached. A slot belongs to whoever holds the kernel lock of its first byte: its party while that lives, and
 * for a moment whoever found the lock free, and buries the dead.
 */
public final class Slots {
    private final ChannelFile file;
    private final Region region;
    private final Layout layout;
    private final Holes holes;
    private final Positions positions;

    public Slots(ChannelFile file, Holes holes) {
        this.file = file;
        this.region = file.region();
        this.layout = file.layout();
        this.holes = holes;
        this.positions = new Positions(region, layout.parties());
    }

    public Positions positions() {
        return positions;
    }

    public int count() {
        return layout.parties();
    }

    public long state(int slot) {
        return positions.state(slot);
    }

    public long position(int slot) {
        return positions.of(slot);
    }

    public long patienceNanos(int slot) {
        return region.getLongOpaque(Layout.slot(slot) + Layout.PATIENCE_AT);
    }

    /**
     * Takes a free slot, or that of a dead party, for a new one, which begins to hold publishers back at
     * {@code position} if it is one that does. An observer takes that of a dead party only if there is no other: who
     * looks at a channel wants to find who has died.
     */
    public Slot take(int kind, String name, long position, long patienceNanos) throws IOException {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        if (text.length > Layout.NAME_BYTES) {
            throw new IllegalArgumentException("the name of a party has at most " + Layout.NAME_BYTES
                    + " bytes of UTF-8, not "
                    + text.length + ": " + name);
        }
        return file.atGate(() -> {
            requireOnlyPublisher(kind);
            boolean looks = kind == SlotState.OBSERVER || kind == SlotState.PATIENT_OBSERVER;
            for (int round = looks ? 0 : 1; round < 2; round++) {
                for (int slot = 0; slot < layout.parties(); slot++) {
                    FileLock lock = round == 0 && !SlotState.isFree(state(slot)) ? null : file.tryLockSlot(slot);
                    if (lock != null) {
                        bury(slot);
                        return occupy(slot, lock, kind, text, position, patienceNanos);
                    }
                }
            }
            throw new ChannelException(
                    file.path(),
                    "all its " + layout.parties() + " slots are taken by living parties; create it with more");
        });
    }

    private void requireOnlyPublisher(int kind) throws ChannelException {
        if (kind != SlotState.PUBLISHER || layout.manyPublishers()) {
            return;
        }
        for (int slot = 0; slot < layout.parties(); slot++) {
            if (SlotState.is(state(slot), SlotState.PUBLISHER) && !buryIfDead(slot)) {
                throw new ChannelException(
                        file.path(),
                        "it is for one publisher, and process "
                                + region.getLongOpaque(Layout.slot(slot) + Layout.PID_AT)
                                + " is that; create it for many publishers");
            }
        }
    }

    private Slot occupy(int slot, FileLock lock, int kind, byte[] name, long position, long patienceNanos) {
        long at = Layout.slot(slot);
        ProcessStart self = ProcessStart.ofThisProcess();
        region.putLong(at + Layout.PID_AT, self.pid());
        region.putLong(at + Layout.START_AT, self.ticks());
        region.putLong(at + Layout.JOINED_AT, position);
        region.putLong(at + Layout.PATIENCE_AT, patienceNanos);
        region.putLong(at + Layout.ARMED_AT, 0);
        region.putInt(at + Layout.NAME_LENGTH_AT, name.length);
        region.segment().asSlice(at + Layout.NAME_AT, name.length).copyFrom(MemorySegment.ofArray(name));
        region.putLong(at + Layout.POSITION_AT, position);
        long state = SlotState.taken(state(slot), kind);
        region.putLongVolatile(at + Layout.STATE_AT, state);
        return new Slot(region, slot, state, lock);
    }

    /**
     * Looks whether the owner of a slot has died, and frees the slot then.
     *
     * @return whether the slot is free now
     */
    public boolean buryIfDead(int slot) {
        if (SlotState.isFree(state(slot))) {
            return true;
        }
        FileLock lock = file.tryLockSlot(slot);
        if (lock == null) {
            return false;
        }
        try {
            bury(slot);
            return true;
        } finally {
            ChannelFile.release(lock);
        }
    }

    /** Frees a slot whose lock the caller holds. Killed in between, it leaves the slot as it was for the next one. */
    private void bury(int slot) {
        long state = state(slot);
        if (SlotState.isFree(state)) {
            return;
        }
        if (SlotState.is(state, SlotState.PUBLISHER)) {
            holes.repair(slot, position(slot));
        }
        setSleeper(region, slot, false);
        region.putLongVolatile(Layout.slot(slot) + Layout.STATE_AT, SlotState.freed(state));
    }

    /** Frees the slot of a party that leaves. */
    public void leave(Slot slot) {
        if (slot.isOwned()) {
            bury(slot.index());
        }
        ChannelFile.release(slot.lock());
    }

    /** Notes whether the owner of a slot may sleep, so that publishers look whether it does. */
    public static void setSleeper(Region region, int slot, boolean sleeps) {
        while (true) {
            long mask = region.getLongVolatile(Layout.SLEEPERS_AT);
            long changed = sleeps ? mask | 1L << slot : mask & ~(1L << slot);
            if (mask == changed || region.compareAndSetLong(Layout.SLEEPERS_AT, mask, changed)) {
                return;
            }
        }
    }
}
