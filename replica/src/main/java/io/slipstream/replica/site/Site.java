package io.slipstream.replica.site;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a folder is in a pair of sites. Kept in {@code site.properties} beside the journal; replaced as a whole, and
 * durable when {@link #write} returns.
 *
 * @param role    what it is
 * @param term    how often a pair has changed its primary, from 1 on; 0 for none
 * @param journal whose records a backup has; null if it has none yet
 * @param refusal why no service may run on the folder without a look at the other site; empty if one may
 */
public record Site(Role role, long term, @Nullable UUID journal, String refusal) {
    private static final String FILE = "site.properties";

    /** Returns what the folder is; {@link Role#NONE} if nobody has said. */
    public static Site read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return new Site(Role.NONE, 0, null, "");
        }
        Properties kept = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            kept.load(reader);
            String journal = kept.getProperty("journal", "");
            return new Site(Role.valueOf(kept.getProperty("role", "").toUpperCase(Locale.ROOT)),
                    Long.parseLong(kept.getProperty("term", "")), journal.isEmpty() ? null : UUID.fromString(journal),
                    kept.getProperty("refusal", ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is damaged: " + e.getMessage()
                    + ". It says which site is the primary; put it back from a copy", e);
        }
    }

    /** Makes this durable in {@code folder}, in place of what was there. */
    public void write(Path folder) throws IOException {
        Properties kept = new Properties();
        kept.setProperty("role", role.name().toLowerCase(Locale.ROOT));
        kept.setProperty("term", Long.toString(term));
        kept.setProperty("journal", journal == null ? "" : journal.toString());
        kept.setProperty("refusal", refusal);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        kept.store(bytes, "What this folder is in a pair of sites; see docs/replica.md");
        Files.createDirectories(folder);
        Path temporary = folder.resolve(FILE + ".tmp");
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer content = ByteBuffer.wrap(bytes.toByteArray());
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
        Files.move(temporary, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Returns a primary with that term. */
    public static Site primary(long term, String backup) {
        return new Site(Role.PRIMARY, term, null, "it is pushed to the backup site at " + backup
                + ", which may have been promoted; start it with that backup, so that it asks there first");
    }

    /** Returns a backup with the records of that journal. */
    public static Site backup(long term, @Nullable UUID journal) {
        return new Site(Role.BACKUP, term, journal,
                "it is a backup site; promote it first with `slipstream replica promote`");
    }

    /** Returns this backup once it has taken over. */
    public Site promoted() {
        return new Site(Role.PROMOTED, term + 1, journal, "");
    }

    /** Returns this site once it knows of a backup that was promoted to {@code newTerm}. */
    public Site fenced(long newTerm, long sequence) {
        return new Site(Role.FENCED, newTerm, journal, "the backup site was promoted (term " + newTerm
                + ") with record " + sequence + " as its last; clients go there. To use this folder again, "
                + "move it away and seed a new backup from the new primary");
    }
}
