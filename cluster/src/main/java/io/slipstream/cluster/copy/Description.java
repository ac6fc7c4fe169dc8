package io.slipstream.cluster.copy;

import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.slipstream.cluster.files.Recordings;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Aeron wants to know about the recordings of a copy. */
final class Description {
    private static final int SYNC_LEVEL = 1;
    private static final int MOST_BYTES = 1 << 20;

    private Description() {}

    /**
     * Requires that there is room for a copy: its files are written where they have bytes, and those of Aeron are
     * mapped, where a full device ends in an error of the JVM.
     */
    static void requireRoom(Manifest manifest, Path fresh) throws IOException {
        long room = Files.getFileStore(fresh).getUsableSpace();
        long wanted = manifest.bytes() + MOST_BYTES;
        if (room < wanted) {
            throw new IOException("a copy of the log needs " + wanted + " bytes, and there is room for " + room
                    + " on the disk of " + fresh.toAbsolutePath().getParent());
        }
    }

    /**
     * Writes it, durably.
     *
     * @param fresh     the folder with the parts of a member
     * @param directory of the member as it was, if it was there
     */
    static void write(Manifest manifest, Path fresh, Path directory) throws IOException {
        try {
            writeWhereThereIsRoom(manifest, fresh, directory);
        } catch (InternalError e) {
            throw new IOException("the disk of " + directory + " is full, or has failed: " + e.getMessage(), e);
        }
    }

    private static void writeWhereThereIsRoom(Manifest manifest, Path fresh, Path directory) throws IOException {
        try (FileOutputStream catalog = new FileOutputStream(
                fresh.resolve("archive").resolve(Recordings.FILE).toFile())) {
            catalog.write(manifest.catalog());
            catalog.getFD().sync();
        }
        Path cluster = fresh.resolve("cluster");
        try (RecordingLog log = new RecordingLog(cluster.toFile(), true)) {
            manifest.entries().forEach(entry -> entry.appendTo(log));
            log.force(SYNC_LEVEL);
        }
        // Whoever the member has voted for, it does not vote again in that term, nor in one that has a leader.
        long voted = Math.max(manifest.term(), votedIn(directory.resolve("cluster")));
        try (NodeStateFile state = new NodeStateFile(cluster.toFile(), true, SYNC_LEVEL)) {
            state.updateCandidateTermId(voted, manifest.end(), 0);
        }
        Path state = cluster.resolve(NodeStateFile.FILENAME);
        try (RandomAccessFile written = new RandomAccessFile(state.toFile(), "rw")) {
            written.getFD().sync();
        }
    }

    private static long votedIn(Path cluster) throws IOException {
        if (!Files.exists(cluster.resolve(NodeStateFile.FILENAME))) {
            return -1;
        }
        try (NodeStateFile state = new NodeStateFile(cluster.toFile(), false, SYNC_LEVEL)) {
            return state.candidateTerm().candidateTermId();
        }
    }
}
