package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the counters of another process, or of one that is gone. Writes nothing and trusts nothing that it reads. */
public final class CountersReader implements AutoCloseable {
    /** The system reckons the start of a process from its own start, which is a little off. */
    private static final long CLOCK_TOLERANCE_SECONDS = 5;

    /** A file whose counters change all the time must not keep a reader for ever. */
    private static final int MOST_ATTEMPTS = 100;

    private final Path file;
    private final Region region;
    private final int places;

    CountersReader(Path file, Region region, int places) {
        this.file = file;
        this.region = region;
        this.places = places;
    }

    /**
     * Opens a counters file.
     *
     * @throws IOException if it cannot be read, or is not a whole counters file of a version known here
     */
    public static CountersReader open(Path file) throws IOException {
        Region region = Region.openReadOnly(file);
        try {
            return new CountersReader(file, region, check(file, region));
        } catch (IOException | RuntimeException e) {
            region.close();
            throw e;
        }
    }

    /** Returns how many places the file has, if it is a whole one. */
    static int check(Path file, Region region) throws IOException {
        if (region.byteSize() < CounterLayout.HEADER_BYTES
                || region.getLongAcquire(CounterLayout.STARTED_AT) == 0
                || region.getLong(CounterLayout.MAGIC_AT) != CounterLayout.MAGIC) {
            throw new IOException(file + " is not a counters file of Slipstream, or is just being created");
        }
        int version = region.getInt(CounterLayout.VERSION_AT);
        if (version != CounterLayout.VERSION) {
            throw new IOException(
                    file + " has version " + version + "; this reader knows version " + CounterLayout.VERSION);
        }
        int places = region.getInt(CounterLayout.PLACES_AT);
        if (places < 1 || places > CounterLayout.MOST_PLACES || region.byteSize() != CounterLayout.fileBytes(places)) {
            throw new IOException(
                    file + " is damaged: " + places + " places do not fit " + region.byteSize() + " bytes");
        }
        return places;
    }

    /** Returns the number of the process that writes, or wrote, the file. */
    public long pid() {
        return region.getLong(CounterLayout.PID_AT);
    }

    /** Returns when the file was created. */
    public Instant started() {
        return Instant.ofEpochMilli(region.getLong(CounterLayout.STARTED_AT));
    }

    /** Returns when the file was closed; empty while it is open, and for ever if its process was killed. */
    public Optional<Instant> ended() {
        long millis = region.getLongAcquire(CounterLayout.ENDED_AT);
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /**
     * Returns whether the process that writes the file is alive: one of its number runs, and was there when the file
     * was made.
     */
    public boolean isAlive() {
        return ended().isEmpty()
                && ProcessHandle.of(pid())
                        .filter(ProcessHandle::isAlive)
                        .filter(process -> process.info()
                                .startInstant()
                                .map(start -> start.isBefore(started().plusSeconds(CLOCK_TOLERANCE_SECONDS)))
                                .orElse(true))
                        .isPresent();
    }

    /**
     * Reads all counters in the order in which they were added, each by itself: values of different counters may be of
     * slightly different moments.
     *
     * @throws IOException if a descriptor is damaged
     */
    public List<CounterValue> read() throws IOException {
        List<Numbered> found = new ArrayList<>();
        boolean more = true;
        for (int i = 0; more && i < places; i++) {
            more = addPlace(i, found);
        }
        found.sort(Comparator.comparingLong(Numbered::addition));
        return found.stream().map(Numbered::value).toList();
    }

    private record Numbered(long addition, CounterValue value) {}

    /**
     * Adds the counter at a place, unless it is given to another one again and again meanwhile; returns whether the
     * place was ever in use.
     */
    private boolean addPlace(int index, List<Numbered> found) throws IOException {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            long addition = addition(index);
            int state = region.getIntAcquire(CounterLayout.descriptor(index) + CounterLayout.STATE_AT);
            if (state != CounterLayout.IN_USE) {
                return state == CounterLayout.FREE_AGAIN;
            }
            try {
                CounterValue value = value(index);
                if (isStill(addition, index)) {
                    found.add(new Numbered(addition, value));
                    return true;
                }
            } catch (IOException e) {
                if (isStill(addition, index)) {
                    throw e;
                }
            }
        }
        return true;
    }

    private boolean isStill(long addition, int index) {
        VarHandle.loadLoadFence();
        return addition(index) == addition;
    }

    private long addition(int index) {
        return region.getLongAcquire(CounterLayout.value(places, index) + CounterLayout.ADDITION_AT);
    }

    private CounterValue value(int index) throws IOException {
        long at = CounterLayout.descriptor(index);
        return new CounterValue(
                text(index, at + CounterLayout.OWNER_AT, at + CounterLayout.OWNER_LENGTH_AT, CounterLayout.OWNER_BYTES),
                text(index, at + CounterLayout.LABEL_AT, at + CounterLayout.LABEL_LENGTH_AT, CounterLayout.LABEL_BYTES),
                CounterType.ofCode(region.getInt(at + CounterLayout.TYPE_AT)),
                region.getLongAcquire(CounterLayout.value(places, index)));
    }

    private String text(int index, long at, long lengthAt, int most) throws IOException {
        int length = region.getInt(lengthAt);
        if (length < 0 || length > most) {
            throw new IOException(file + " is damaged: a text of counter " + index + " has " + length + " bytes");
        }
        return new String(region.segment().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        region.close();
    }
}
