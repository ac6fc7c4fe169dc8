package io.slipstream.cluster.copy;

import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.core.thread.Undisturbed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Takes the last snapshot and the log behind it from a folder that has them, and that nobody changes. */
public final class LocalCopy {
    private LocalCopy() {}

    /**
     * Puts them where a member keeps its own; it has them when this returns, and what it had before if this throws.
     *
     * @return the position at which the log ends
     */
    public static long install(Path from, Path directory) throws IOException {
        return Undisturbed.call(() -> {
            MemberLog log = MemberLog.of(from);
            Path archive = from.resolve("archive");
            try (Selection selection = Selection.of(archive, Recordings.read(archive), log.terms(), log.end())) {
                Path fresh = Installation.begin(directory);
                Description.requireRoom(selection.manifest(), fresh);
                for (int i = 0; i < selection.files().size(); i++) {
                    write(selection, i, fresh.resolve("archive"));
                }
                Description.write(selection.manifest(), fresh, directory);
                Installation.commit(directory);
                return selection.manifest().end();
            } catch (IOException | RuntimeException e) {
                Installation.abandon(directory);
                throw e;
            }
        });
    }

    private static void write(Selection selection, int number, Path archive) throws IOException {
        Piece piece = selection.manifest().pieces().get(number);
        try (RandomAccessFile out =
                new RandomAccessFile(archive.resolve(piece.name()).toFile(), "rw")) {
            selection.read(number, (bytes, length) -> out.write(bytes, 0, length));
            out.setLength(piece.length());
            out.getFD().sync();
        }
    }
}
