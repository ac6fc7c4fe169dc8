package io.slipstream.cluster.files;

import io.aeron.cluster.RecordingLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The log of a member, in the files of its archive. Nothing is written, and the member may run meanwhile. For one
 * thread.
 */
public final class MemberLog {
    /** Name of the file that says whose a folder is. */
    public static final String MARK = "member.mark";

    private final Path archive;
    private final Recording recording;
    private final Terms terms;

    private MemberLog(Path archive, Recording recording, Terms terms) {
        this.archive = archive;
        this.recording = recording;
        this.terms = terms;
    }

    /** Returns whether a folder is one of a member, with a log or about to have one. */
    public static boolean isIn(Path directory) {
        return Files.exists(directory.resolve("archive").resolve(Recordings.FILE))
                && Files.exists(directory.resolve("cluster").resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
    }

    /**
     * Looks at the log of the member in that folder.
     *
     * @throws IOException if there is none, or what describes it is damaged
     */
    public static MemberLog of(Path directory) throws IOException {
        Path archive = directory.resolve("archive");
        try {
            Terms terms = Terms.read(directory.resolve("cluster"));
            return new MemberLog(
                    archive, Recordings.read(archive).get(terms.last().recording()), terms);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    directory + " is not the folder of a member of a cluster: " + e.getFile() + " is missing", e);
        }
    }

    /** Returns where the log of the member in that folder ends; 0 if it never had a leader. */
    public static long endIn(Path directory) throws IOException {
        return Terms.read(directory.resolve("cluster")).hasTerm()
                ? of(directory).end()
                : 0;
    }

    /** Returns the position of the first byte that is still there. */
    public long start() {
        return recording.start();
    }

    /** Returns the terms and snapshots of the member. */
    public Terms terms() {
        return terms;
    }

    /** Returns the recording that the log is. */
    public Recording recording() {
        return recording;
    }

    /** Returns the position behind the last byte. */
    public long end() throws IOException {
        return frames().end();
    }

    /** Returns what reads the log. */
    public RecordedFrames frames() {
        return frames(recording);
    }

    /** Returns what reads a recording of the member. */
    RecordedFrames frames(Recording of) {
        return new RecordedFrames(archive, of);
    }

    /** Returns a recording of the member; an {@link IOException} says that it is not there. */
    Recording recording(long id) throws IOException {
        return Recordings.read(archive).get(id);
    }
}
