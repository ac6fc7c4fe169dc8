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

    private Description() {}

    /**
     * Writes it, durably.
     *
     * @param fresh     the folder with the parts of a member
     * @param directory of the member as it was, if it was there
     */
    static void write(Manifest manifest, Path fresh, Path directory) throws IOException {
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
