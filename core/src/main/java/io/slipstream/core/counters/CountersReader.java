package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the counters of another process, or of one that is gone. Writes nothing and trusts nothing that it reads. */
public final class CountersReader implements AutoCloseable {
    /** The system reckons the start of a process from its own start, which is a little off. */
    private static final long CLOCK_TOLERANCE_SECONDS = 5;

    private final Path file;
    private final Region region;
    private final int places;

    private CountersReader(Path file, Region region, int places) {
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

    private static int check(Path file, Region region) throws IOException {
        if (region.byteSize() < CounterLayout.HEADER_BYTES
                || region.getLongAcquire(CounterLayout.STARTED_AT) == 0
                || region.getLong(CounterLayout.MAGIC_AT) != CounterLayout.MAGIC) {
            throw new IOException(file + " is not a counters file of Slipstream, or is just being created");
        }
        int version = region.getInt(CounterLayout.VERSION_AT);
        if (version != CounterLayout.VERSION) {
            throw new IOException(file + " has version " + version + "; this reader knows version " + CounterLayout.VERSION);
        }
        int places = region.getInt(CounterLayout.PLACES_AT);
        if (places < 1 || places > CounterLayout.MOST_PLACES || region.byteSize() != CounterLayout.fileBytes(places)) {
            throw new IOException(file + " is damaged: " + places + " places do not fit " + region.byteSize() + " bytes");
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

    /** Returns whether the process that writes the file is alive: one of its number runs, and was there when the file was made. */
    public boolean isAlive() {
        return ended().isEmpty() && ProcessHandle.of(pid())
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info().startInstant()
                        .map(start -> start.isBefore(started().plusSeconds(CLOCK_TOLERANCE_SECONDS)))
                        .orElse(true))
                .isPresent();
    }

    /**
     * Reads all counters, each by itself: values of different counters may be of slightly different moments.
     *
     * @throws IOException if a descriptor is damaged
     */
    public List<CounterValue> read() throws IOException {
        List<CounterValue> values = new ArrayList<>();
        for (int i = 0; i < places; i++) {
            long at = CounterLayout.descriptor(i);
            if (region.getIntAcquire(at + CounterLayout.STATE_AT) != CounterLayout.IN_USE) {
                break;
            }
            values.add(new CounterValue(
                    text(i, at + CounterLayout.OWNER_AT, at + CounterLayout.OWNER_LENGTH_AT, CounterLayout.OWNER_BYTES),
                    text(i, at + CounterLayout.LABEL_AT, at + CounterLayout.LABEL_LENGTH_AT, CounterLayout.LABEL_BYTES),
                    CounterType.ofCode(region.getInt(at + CounterLayout.TYPE_AT)),
                    region.getLongAcquire(CounterLayout.value(places, i))));
        }
        return values;
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
