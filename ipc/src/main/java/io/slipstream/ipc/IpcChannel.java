package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.errors.ChannelException;
import io.slipstream.ipc.file.ChannelFile;
import io.slipstream.ipc.file.Creation;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.Frames;
import io.slipstream.ipc.frame.Landmarks;
import io.slipstream.ipc.frame.ManyFrames;
import io.slipstream.ipc.sleep.Bell;
import io.slipstream.ipc.sleep.Futex;
import io.slipstream.ipc.slot.Gates;
import io.slipstream.ipc.slot.Limit;
import io.slipstream.ipc.slot.Slot;
import io.slipstream.ipc.slot.SlotState;
import io.slipstream.ipc.slot.Slots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A channel between processes of one machine: a mapped file with a ring of frames. There is nothing else: no broker, no
 * daemon, no thread.
 *
 * <pre>{@code
 * try (IpcChannel channel = IpcChannel.openOrCreate(IpcChannel.named("prices"), ChannelSettings.onePublisher(1 << 20));
 *         IpcPublisher publisher = channel.newPublisher("feed")) {
 *     publisher.publish(message);
 * }
 * }</pre>
 *
 * <p>Who is attached is alive as long as its process is; the kernel says so by its file locks, and at once. A process
 * must not open and close the file of a channel by other means while it is attached to it, since that releases its
 * locks.
 *
 * <p>Any thread may call this; the parties that it returns are owned by one thread each.
 */
public final class IpcChannel implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String SUFFIX = ".ipc";

    private final ChannelFile file;
    private final Region region;
    private final Layout layout;
    private final Frames frames;
    private final Slots slots;
    private final Limit limit;
    private final Landmarks landmarks;
    private final Set<AutoCloseable> open = new HashSet<>();
    private volatile boolean takesPart;
    private boolean closed;

    private IpcChannel(ChannelFile file) {
        this.file = file;
        this.region = file.region();
        this.layout = file.layout();
        this.frames = Frames.of(region, layout);
        this.slots = new Slots(file, frames instanceof ManyFrames many ? many : (owner, claim) -> {});
        this.limit = new Limit(region, slots.positions(), layout.capacity());
        this.landmarks = new Landmarks(region, layout.capacity());
    }

    /**
     * Returns the file of a channel with this name: in {@code /dev/shm} where there is one, otherwise in the folder for
     * temporary files.
     *
     * @throws IllegalArgumentException if the name is empty or has other characters than letters, digits, dots, dashes
     *      and underscores
     */
    public static Path named(String name) {
        if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException(
                    "a channel name has letters, digits, dots, dashes and underscores, not: " + name);
        }
        return folder().resolve(name + SUFFIX);
    }

    /** Returns the folder of {@link #named}. */
    public static Path folder() {
        return Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Creates the file, with all its space and for this user only (mode 0600), and opens it.
     *
     * @throws FileAlreadyExistsException if there is one
     * @throws IOException                if there is no room for it, or it cannot be written
     */
    public static IpcChannel create(Path file, ChannelSettings settings) throws IOException {
        Creation.create(
                file,
                Layout.ofNew(settings.capacity(), settings.manyPublishers(), settings.parties(), settings.kept()));
        IpcChannel channel = open(file);
        channel.takesPart = true;
        return channel;
    }

    /**
     * Opens a file that exists.
     *
     * @throws NoSuchFileException if there is none
     * @throws ChannelException    if it is no channel, of another version, truncated, damaged, or another user's; the
     *      message says what is wrong
     */
    public static IpcChannel open(Path file) throws IOException {
        return new IpcChannel(ChannelFile.open(file.toAbsolutePath()));
    }

    /** Opens the file, or creates it if there is none. One that exists keeps its own settings. */
    public static IpcChannel openOrCreate(Path file, ChannelSettings settings) throws IOException {
        while (true) {
            try {
                return Files.exists(file) ? open(file) : create(file, settings);
            } catch (FileAlreadyExistsException | NoSuchFileException e) {
                // Another process was faster.
                if (!Files.isDirectory(file.toAbsolutePath().resolveSibling("."))) {
                    throw e;
                }
            }
        }
    }

    /** Returns the file. */
    public Path file() {
        return file.path();
    }

    /** Returns what the file was created with. */
    public ChannelSettings settings() {
        return new ChannelSettings(layout.capacity(), layout.manyPublishers(), layout.parties(), layout.kept());
    }

    /** Returns the memory of the channel, in which handlers find their frames. */
    public MemorySegment memory() {
        return region.segment();
    }

    /** Returns the end of the channel: how many bytes of frames there have been. */
    public long tail() {
        return frames.tail();
    }

    /** As {@link #newPublisher(String, WaitStrategy)}, with {@link WaitStrategy#backoff}. */
    public IpcPublisher newPublisher(String name) throws IOException {
        return newPublisher(name, WaitStrategy.backoff());
    }

    /**
     * Attaches a publisher.
     *
     * @param name      that others see, at most 80 bytes of UTF-8
     * @param whileFull what {@link IpcPublisher#claim} does while there is no room
     * @throws ChannelException if the channel is for one publisher and has a living one, or all slots are taken
     */
    public IpcPublisher newPublisher(String name, WaitStrategy whileFull) throws IOException {
        return newPublisher(name, whileFull, () -> {});
    }

    /**
     * As {@link #newPublisher(String, WaitStrategy)}, for readers that sleep in a way of their own.
     *
     * @param onSleeper run by the publisher's thread, after a publication, when a reader has {@link IpcReader#arm}ed
     *     since the last time; it must not throw
     */
    public IpcPublisher newPublisher(String name, WaitStrategy whileFull, Runnable onSleeper) throws IOException {
        takesPart = true;
        Bell bell = new Bell(region, layout.parties(), Futex.ofThisProcess(), onSleeper);
        Slot slot = slots.take(PartyKind.PUBLISHER.code(), name, frames.tail(), 0);
        try {
            return keep(
                    layout.manyPublishers()
                            ? new ManyPublisher(this, slot, bell, whileFull)
                            : new OnePublisher(this, slot, bell, whileFull));
        } catch (Throwable e) {
            slots.leave(slot);
            throw e;
        }
    }

    /**
     * Attaches a subscriber, for which publishers wait.
     *
     * @throws ChannelException if all slots are taken
     */
    public IpcSubscriber newSubscriber(String name, Start start) throws IOException {
        takesPart = true;
        long begin = start == Start.NEWEST ? frames.tail() : oldest(limit.oldestKept());
        Slot slot = slots.take(PartyKind.SUBSCRIBER.code(), name, begin, 0);
        return keep(new IpcSubscriber(this, slot, settle(slot, start)));
    }

    /** Attaches an observer, for which publishers do not wait. */
    public IpcObserver newObserver(String name, Start start) throws IOException {
        long begin = start == Start.NEWEST ? frames.tail() : oldest(limit.oldestKept());
        return keep(new IpcObserver(this, slots.take(PartyKind.OBSERVER.code(), name, begin, 0), begin));
    }

    /**
     * Attaches an observer for which publishers without room wait for at most {@code patience}; then they drop it, and
     * it will know.
     *
     * @throws IllegalArgumentException if the patience is negative
     */
    public IpcObserver newObserver(String name, Start start, Duration patience) throws IOException {
        Objects.requireNonNull(patience, "patience");
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience is not negative: " + patience);
        }
        long begin = start == Start.NEWEST ? frames.tail() : oldest(limit.oldestKept());
        Slot slot = slots.take(PartyKind.PATIENT_OBSERVER.code(), name, begin, Patience.nanos(patience));
        return keep(new IpcObserver(this, slot, settle(slot, start)));
    }

    /** Returns where a party begins whose slot is filled, so that publishers wait for it; see {@link Limit}. */
    private long settle(Slot slot, Start start) {
        VarHandle.fullFence();
        long begin = start == Start.NEWEST ? frames.tail() : oldest(limit.oldestAnnounced());
        slot.position(begin);
        return begin;
    }

    private long oldest(long kept) {
        return landmarks.from(Math.max(0, kept), frames.tail());
    }

    /** Returns who is attached, dead ones included that nobody has found yet. */
    public List<Party> parties() {
        List<Party> parties = new ArrayList<>();
        for (int slot = 0; slot < layout.parties(); slot++) {
            Party party = Party.read(region, layout, slot, frames.tail(), file.isSlotLocked(slot));
            if (party != null) {
                parties.add(party);
            }
        }
        return parties;
    }

    /**
     * Looks for dead parties and frees their slots; others do so when they need one, or wait for one. Returns how many
     * it has found.
     */
    public int buryDead() {
        int found = 0;
        for (int slot = 0; slot < layout.parties(); slot++) {
            if (!SlotState.isFree(slots.state(slot)) && slots.buryIfDead(slot)) {
                found++;
            }
        }
        return found;
    }

    /**
     * Marks the claim of a dead publisher at {@code position} as skipped; its slot may have been freed by another
     * process before.
     */
    void repair(int owner, long position) {
        slots.buryIfDead(owner);
    }

    void arm(Slot slot) {
        Slots.setSleeper(region, slot.index(), true);
        region.putLongOpaque(slot.base() + Layout.ARMED_AT, 1);
        VarHandle.fullFence();
    }

    void disarm(Slot slot) {
        region.putLongOpaque(slot.base() + Layout.ARMED_AT, 0);
    }

    Region region() {
        return region;
    }

    Frames frames() {
        return frames;
    }

    Limit limit() {
        return limit;
    }

    Landmarks landmarks() {
        return landmarks;
    }

    Gates newGates() {
        return new Gates(region, slots, limit, layout.capacity());
    }

    private synchronized <T extends AutoCloseable> T keep(T party) {
        if (closed) {
            throw new IllegalStateException(file.path() + " is closed");
        }
        open.add(Objects.requireNonNull(party));
        return party;
    }

    synchronized void leave(AutoCloseable party, Slot slot) {
        if (open.remove(party)) {
            slots.leave(slot);
        }
    }

    /**
     * Detaches all parties that were attached through this, and unmaps the file when this JVM has no other use for it.
     * The last process that closes a channel removes its file, unless it is to be kept. A process that has neither
     * created it, nor published or subscribed, has only looked at it, as an observer does, and leaves the file.
     *
     * @throws UncheckedIOException if the file cannot be removed
     */
    @Override
    public void close() {
        close(takesPart);
    }

    /**
     * Removes the file of a channel that no process has open any more, as when all of them were killed. One that is in
     * use stays.
     *
     * @throws IOException as {@link #open}
     */
    public static void removeUnused(Path file) throws IOException {
        IpcChannel channel = open(file);
        channel.takesPart = true;
        channel.close();
    }

    /** As {@link #close}, but this use does not remove the file. */
    public void leave() {
        close(false);
    }

    private void close(boolean tookPart) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        for (AutoCloseable party : List.copyOf(open)) {
            closeParty(party);
        }
        try {
            file.release(tookPart);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void closeParty(AutoCloseable party) {
        switch (party) {
            case IpcPublisher publisher -> publisher.close();
            case IpcReader reader -> reader.close();
            default -> throw new AssertionError(party);
        }
    }
}
