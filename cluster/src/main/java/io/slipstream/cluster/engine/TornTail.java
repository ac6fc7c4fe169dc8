package io.slipstream.cluster.engine;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.client.ArchiveException;
import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.function.Supplier;

/**
 * Starts an archive, and cuts what a write that was torn by SIGKILL or a full disk has left at its end: the archive
 * itself asks an operator to do so. Nothing of it was acknowledged, and the leader has it. A record that only looks
 * torn, since it ends with zeros, is told by its checksum and stays.
 */
final class TornTail {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final String ASKS_FOR_IT = "ArchiveTool verify";

    private TornTail() {}

    static Archive launch(Supplier<Archive.Context> contexts) {
        Archive.Context context = contexts.get();
        try {
            return Archive.launch(context);
        } catch (ArchiveException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.contains(ASKS_FOR_IT)) {
                throw e;
            }
            PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
            ArchiveTool.verify(
                    nowhere,
                    context.archiveDir(),
                    EnumSet.noneOf(ArchiveTool.VerifyOption.class),
                    null,
                    file -> cut(file, reason));
            return Archive.launch(contexts.get());
        }
    }

    private static boolean cut(File file, String reason) {
        // The tool does not know the checksums: what it takes for torn elsewhere the archive has found whole.
        boolean isTorn = reason.contains(file.getPath());
        if (isTorn) {
            LOG.log(System.Logger.Level.WARNING, "the last record in " + file + " was torn, and is cut");
        }
        return isTorn;
    }
}
