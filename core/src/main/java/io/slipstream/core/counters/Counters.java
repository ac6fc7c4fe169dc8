package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one process in a mapped file, which others read while it runs and after it has died.
 *
 * <p>Counters are added and freed by any thread; each is written by its one owner in between. A file of {@link #create}
 * stays when it is closed, with the time of the end noted in it; that of {@link #createDefault} goes, also when the
 * process ends without closing it. Both stay when their process is killed, for readers, until the next owner creates a
 * file at the same place.
 */
public final class Counters implements AutoCloseable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final int KEPT = 16;

    /** The one of {@link #createDefault}, if it is open; guarded by the class. */
    private static @Nullable Counters ofThisProcess;

    /** Deletes the default file when the process ends, while it is open; guarded by the class. */
    private static @Nullable Thread hook;

    private final Path file;
    private final Region region;
    private final int places;
    private final boolean deletedWhenClosed;

    /** Says to others that the owner lives; null where files cannot be locked. */
    private final @Nullable FileChannel lock;

    private final BitSet freeAgain = new BitSet();
    private int used;
    private long additions;

    Counters(Path file, Region region, int places, boolean deletedWhenClosed, @Nullable FileChannel lock) {
        this.file = file;
        this.region = region;
        this.places = places;
        this.deletedWhenClosed = deletedWhenClosed;
        this.lock = lock;
    }

    /**
     * Returns where the counters of process {@code pid} are unless it was told otherwise; {@code top PID} looks there.
     */
    public static Path defaultFile(long pid) {
        return DefaultFile.of(pid);
    }

    /**
     * Creates the file of this process at {@link #defaultFile}, and deletes it when it is closed or, if it never is, by
     * a shutdown hook. That of a process which was killed stays, in memory on most systems, for {@code top} to show
     * what it last did; of those that were killed, each call of this method keeps the newest {@value #KEPT}.
     *
     * @throws IOException           as {@link #create} does, and if this process has it open already
     * @throws IllegalStateException if the process is ending
     */
    public static synchronized Counters createDefault(int places) throws IOException {
        Path file = defaultFile(ProcessHandle.current().pid());
        if (ofThisProcess != null) {
            throw new IOException(
                    file + " is open in this process already; add the counters there, or create another file");
        }
        Thread ends = new Thread(Counters::endDefault, "slipstream-counters-end");
        Runtime.getRuntime().addShutdownHook(ends);
        hook = ends;
        try {
            DefaultFile.removeThoseOfTheDead(DefaultFile.folder(), KEPT);
            Files.deleteIfExists(file);
            Counters created = create(file, places, true);
            ofThisProcess = created;
            return created;
        } finally {
            if (ofThisProcess == null) {
                forgetProcess();
            }
        }
    }

    /** Nothing of a file that is closed stays behind: its class loader may end before the process. */
    private static void forgetProcess() {
        Thread ends = hook;
        hook = null;
        if (ends != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(ends);
            } catch (IllegalStateException e) {
                // The process ends already.
            }
        }
    }

    /**
     * Creates {@code file}. A counters file that is there is replaced if it was closed, or if its process has ended, as
     * by {@code kill -9}.
     *
     * @param places how many counters there may be, from 1 to 2^20; each takes 384 bytes
     * @throws IOException if the file exists and its owner lives, or it is no counters file: then it stays as it is; or
     *                     if the disk has no room for all of it
     */
    public static Counters create(Path file, int places) throws IOException {
        LeftFile.remove(file);
        return create(file, places, false);
    }

    private static Counters create(Path file, int places, boolean deletedWhenClosed) throws IOException {
        if (places < 1 || places > CounterLayout.MOST_PLACES) {
            throw new IllegalArgumentException(
                    "a counters file has from 1 to " + CounterLayout.MOST_PLACES + " places, not " + places);
        }
        Region region = Region.create(file, CounterLayout.fileBytes(places));
        region.putInt(CounterLayout.VERSION_AT, CounterLayout.VERSION);
        region.putInt(CounterLayout.PLACES_AT, places);
        region.putLong(CounterLayout.PID_AT, ProcessHandle.current().pid());
        region.putLong(CounterLayout.MAGIC_AT, CounterLayout.MAGIC);
        region.putLongRelease(CounterLayout.STARTED_AT, System.currentTimeMillis());
        return new Counters(file, region, places, deletedWhenClosed, DefaultFile.lock(file));
    }

    /** Returns the file. */
    public Path file() {
        return file;
    }

    /**
     * Adds a counter that starts at 0.
     *
     * @param type  what its number means
     * @param owner the component that it belongs to; counters of one owner are shown together
     * @param label what it counts
     * @throws IllegalStateException    if all places are taken
     * @throws IllegalArgumentException if the owner has more than 80 or the label more than 160 bytes of UTF-8
     */
    public synchronized Counter add(CounterType type, String owner, String label) {
        byte[] ownerBytes = text("owner", owner, CounterLayout.OWNER_BYTES);
        byte[] labelBytes = text("label", label, CounterLayout.LABEL_BYTES);
        int index = nextPlace();
        long at = CounterLayout.descriptor(index);
        long value = CounterLayout.value(places, index);
        // A reader that sees the number sees that the place was free, and one that sees anything of what follows sees
        // the number.
        VarHandle.storeStoreFence();
        region.putLong(value + CounterLayout.ADDITION_AT, ++additions);
        VarHandle.storeStoreFence();
        region.putLong(value, 0);
        region.putInt(at + CounterLayout.TYPE_AT, type.code());
        put(at + CounterLayout.OWNER_AT, at + CounterLayout.OWNER_LENGTH_AT, ownerBytes);
        put(at + CounterLayout.LABEL_AT, at + CounterLayout.LABEL_LENGTH_AT, labelBytes);
        region.putIntRelease(at + CounterLayout.STATE_AT, CounterLayout.IN_USE);
        return new Counter(region, value);
    }

    private int nextPlace() {
        int index = freeAgain.nextSetBit(0);
        if (index >= 0) {
            freeAgain.clear(index);
            return index;
        }
        if (used == places) {
            throw new IllegalStateException(
                    "all " + places + " places of " + file + " are taken; create it with more than " + places);
        }
        return used++;
    }

    /**
     * Gives the place of {@code counter} back: readers see it no more, another one may take its place, and its owner
     * must not write it any more. Does nothing once this is closed.
     *
     * @throws IllegalArgumentException if it is a counter of another file
     * @throws IllegalStateException    if it was freed already
     */
    public synchronized void free(Counter counter) {
        if (!counter.isIn(region)) {
            throw new IllegalArgumentException("the counter is not one of " + file + "; free it where it was added");
        }
        if (!counter.free()) {
            throw new IllegalStateException(
                    "the counter of " + file + " was freed already; free it once, when its owner has ended");
        }
        if (isOpen()) {
            int index = CounterLayout.index(places, counter.offset());
            region.putIntRelease(CounterLayout.descriptor(index) + CounterLayout.STATE_AT, CounterLayout.FREE_AGAIN);
            freeAgain.set(index);
        }
    }

    private void put(long at, long lengthAt, byte[] bytes) {
        MemorySegment.copy(bytes, 0, region.segment(), BYTE, at, bytes.length);
        region.putInt(lengthAt, bytes.length);
    }

    private static byte[] text(String what, String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > most) {
            throw new IllegalArgumentException("the " + what + " of a counter has at most " + most
                    + " bytes of UTF-8, not "
                    + bytes.length + ": " + text);
        }
        return Arrays.copyOf(bytes, bytes.length);
    }

    /** Returns whether {@link #close} was not called. */
    public boolean isOpen() {
        return region.segment().scope().isAlive();
    }

    /**
     * Notes the end in the file and unmaps it; no counter may be used any more. Closing again does nothing.
     *
     * @throws UncheckedIOException if a file of {@link #createDefault} cannot be deleted, or its lock not released
     */
    @Override
    public synchronized void close() {
        if (isOpen()) {
            noteEnd();
            region.close();
            try (FileChannel _ = lock) {
                if (deletedWhenClosed) {
                    deleteDefault(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Runs while the process ends. Owners may still count, so that the file must stay mapped. */
    private static synchronized void endDefault() {
        Counters open = ofThisProcess;
        if (open != null) {
            try {
                open.noteEnd();
            } finally {
                deleteDefault(open.file);
            }
        }
    }

    private void noteEnd() {
        region.putLongRelease(CounterLayout.ENDED_AT, System.currentTimeMillis());
    }

    private static synchronized void deleteDefault(Path file) {
        ofThisProcess = null;
        forgetProcess();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
