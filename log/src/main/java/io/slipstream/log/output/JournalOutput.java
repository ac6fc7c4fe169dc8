package io.slipstream.log.output;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Appends events to a journal, as they are in the ring: nothing is encoded or copied for it. */
public final class JournalOutput implements Output {
    /** Name of the journal's folder in that of the log. */
    public static final String FOLDER = "journal";

    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long AGE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int BATCH_BYTES = 1 << 18;
    private static final int MIN_SEGMENT_BYTES = 1 << 20;
    /** A journal fills its first segment with zeros before it opens, and a program that starts waits for its log. */
    private static final int MAX_SEGMENT_BYTES = 16 << 20;

    private final Opening opening;
    private final Path folder;
    private final JournalConfig settings;
    private final long rollBytes;
    private final int keep;
    private final @Nullable Duration keepAge;
    private final Losses losses;
    private final Deque<Long> boundaries = new ArrayDeque<>();
    private @Nullable Journal journal;
    private long bytesSinceBoundary;
    private long failedNanos;
    private long agedNanos = System.nanoTime();

    /** Opens a journal: the seam for devices that are simulated. */
    @FunctionalInterface
    interface Opening {
        Journal open(Path folder, JournalConfig settings) throws JournalException;
    }

    /** Opens the journal in {@code folder}. */
    public JournalOutput(LogConfig config, Path folder, Losses losses) throws JournalException {
        this(config, folder, losses, Journal::open);
    }

    JournalOutput(LogConfig config, Path folder, Losses losses, Opening opening) throws JournalException {
        this.opening = opening;
        this.folder = folder.resolve(FOLDER);
        this.rollBytes = config.rollBytes();
        this.keep = config.keepFiles();
        this.losses = losses;
        int segment = (int) Math.min(MAX_SEGMENT_BYTES, Math.max(MIN_SEGMENT_BYTES, config.rollBytes()))
                & -JournalConfig.BLOCK_BYTES;
        this.settings = JournalConfig.at(config.force() ? Durability.SYNC : Durability.PROCESS)
                .withSegmentBytes(segment)
                .withMaxSegmentAge(config.rollAge())
                .withBatchBytes(BATCH_BYTES)
                .withVerification(JournalConfig.Verification.TAIL);
        this.keepAge = config.keepAge();
        Journal opened = opening.open(this.folder, settings);
        journal = opened;
        recallBoundaries(opened);
    }

    /** Where former runs have passed the size is not noted anywhere; their events are taken to be of one length. */
    private void recallBoundaries(Journal opened) {
        long first = opened.firstSequence();
        long events = opened.nextSequence() - first;
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // It is trimmed later, as it grows.
        }
        long parts = bytes / rollBytes;
        for (long part = 1; part <= parts && events > parts; part++) {
            boundaries.add(first + events * part / (parts + 1));
        }
        bytesSinceBoundary = bytes % rollBytes;
        try {
            trimTo(opened);
        } catch (JournalException e) {
            losses.lose(0, String.valueOf(e.getMessage()));
        }
    }

    /** What cannot be removed at present goes with a later trim; nothing is lost by that. */
    private void trimTo(Journal to) throws JournalFailedException {
        while (boundaries.size() > keep) {
            try {
                to.trim(boundaries.remove());
            } catch (JournalFailedException e) {
                throw e;
            } catch (JournalException e) {
                losses.note("the log keeps more than it should: " + e.getMessage());
            }
        }
    }

    /** Returns the journal, to look at what is in it; null after it has failed. */
    public @Nullable Journal journal() {
        return journal;
    }

    @Override
    public void write(MemorySegment memory, long offset, int bytes) {
        Journal to = journal != null ? journal : reopened();
        if (to == null) {
            losses.lose(frames(memory, offset, bytes), losses.reason());
            return;
        }
        try {
            to.append(memory, offset, bytes);
            to.commit();
            trim(to, bytes);
        } catch (JournalFullException e) {
            losses.lose(frames(memory, offset, bytes), String.valueOf(e.getMessage()));
        } catch (JournalException e) {
            losses.lose(frames(memory, offset, bytes), String.valueOf(e.getMessage()));
            close();
            failedNanos = System.nanoTime();
        } catch (RuntimeException | Error e) {
            losses.fail(frames(memory, offset, bytes), "messages cannot be written", e);
        }
    }

    /** Keeps as many times the size at which files would be rolled as there would be files. */
    private void trim(Journal to, int bytes) throws JournalFailedException {
        bytesSinceBoundary += bytes;
        if (bytesSinceBoundary >= rollBytes) {
            bytesSinceBoundary = 0;
            boundaries.add(to.nextSequence());
            trimTo(to);
        }
    }

    @Override
    public void tick() {
        Journal to = journal;
        Duration age = keepAge;
        if (to == null || age == null || System.nanoTime() - agedNanos < Math.min(AGE_NANOS, age.toNanos())) {
            return;
        }
        agedNanos = System.nanoTime();
        try {
            to.trim(to.sequenceAt(Instant.now().minus(age)));
        } catch (JournalException e) {
            losses.lose(0, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Journal reopened() {
        if (System.nanoTime() - failedNanos >= RETRY_NANOS) {
            try {
                journal = opening.open(folder, settings);
            } catch (JournalException e) {
                failedNanos = System.nanoTime();
                losses.lose(0, String.valueOf(e.getMessage()));
            }
        }
        return journal;
    }

    private static long frames(MemorySegment memory, long offset, int bytes) {
        long count = 0;
        for (long at = offset; at < offset + bytes; at += Frame.align(Frame.length(memory, at))) {
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        Journal open = journal;
        journal = null;
        if (open != null) {
            try {
                open.close();
            } catch (JournalException e) {
                losses.lose(0, String.valueOf(e.getMessage()));
            }
        }
    }
}
