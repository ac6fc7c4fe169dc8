package io.slipstream.replica.site;

import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.service.host.Host;
import io.slipstream.service.spi.SiteFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a folder is in a pair of sites. Kept in {@code site.properties} beside the journal; replaced as a whole, and
 * durable when {@link #write} returns.
 *
 * @param role     what it is
 * @param term     how often a pair has changed its primary, from 1 on; 0 for none
 * @param journal  whose records a backup has; null if it has none yet
 * @param sequence of the last record of the former primary that the promoted site has; 0 before a promotion
 * @param refusal  why no service may run on the folder without a look at the other site; empty if one may
 */
public record Site(Role role, long term, @Nullable UUID journal, long sequence, String refusal) {
    /** The term of a primary that has never had another. */
    public static final long FIRST_TERM = 1;

    /** The tailer that keeps records in the journal of a primary until its backup has them. */
    public static final String TAILER = "backup-site";

    private static final String TEMPORARY = SiteFile.NAME + ".tmp";
    private static final String COMMENT = "What this folder is in a pair of sites; see docs/replica.md";
    private static final int RESERVED_BYTES = 4096;

    /** Returns what the folder is; {@link Role#NONE} if nobody has said. */
    public static Site read(Host host, Path folder) throws IOException {
        Properties kept = SiteFile.read(host, folder).orElse(null);
        if (kept == null) {
            return new Site(Role.NONE, 0, null, 0, "");
        }
        try {
            String journal = kept.getProperty("journal", "");
            return new Site(
                    Role.valueOf(kept.getProperty("role", "").toUpperCase(Locale.ROOT)),
                    Long.parseLong(kept.getProperty("term", "")),
                    journal.isEmpty() ? null : UUID.fromString(journal),
                    Long.parseLong(kept.getProperty("sequence", "0")),
                    kept.getProperty("refusal", ""));
        } catch (IllegalArgumentException e) {
            throw SiteFile.damaged(folder, e);
        }
    }

    /** Makes this durable in {@code folder}, in place of what was there. */
    public void write(Host host, Path folder) throws IOException {
        Properties kept = new Properties();
        kept.setProperty("role", role.name().toLowerCase(Locale.ROOT));
        kept.setProperty("term", Long.toString(term));
        kept.setProperty("journal", journal == null ? "" : journal.toString());
        kept.setProperty("sequence", Long.toString(sequence));
        kept.setProperty("refusal", refusal);
        StringWriter text = new StringWriter();
        kept.store(text, COMMENT);
        // Without the line that says when, by another clock than the host's.
        String lines = text.toString()
                .lines()
                .filter(line -> !line.startsWith("#") || line.equals("#" + COMMENT))
                .collect(Collectors.joining("\n", "", "\n"));
        try (Storage storage = host.storage(folder)) {
            fill(storage, lines.getBytes(StandardCharsets.UTF_8));
            storage.rename(TEMPORARY, SiteFile.NAME);
            storage.syncDirectory();
        }
    }

    /** Makes room in {@code folder} for the next {@link #write}, so that a full device does not come in its way. */
    public static void reserve(Host host, Path folder) throws IOException {
        try (Storage storage = host.storage(folder)) {
            fill(storage, new byte[RESERVED_BYTES]);
        }
    }

    /** Writes over what is there: its blocks are not given back before the new content has them. */
    private static void fill(Storage storage, byte[] bytes) throws IOException {
        try (StorageFile out = openOrCreate(storage)) {
            out.writeFully(ByteBuffer.wrap(bytes), 0);
            out.truncate(bytes.length);
            out.force();
        }
    }

    private static StorageFile openOrCreate(Storage storage) throws IOException {
        try {
            return storage.open(TEMPORARY);
        } catch (NoSuchFileException e) {
            return storage.create(TEMPORARY);
        }
    }

    /** Returns a primary with that term. */
    public static Site primary(long term, String backup) {
        return new Site(
                Role.PRIMARY,
                term,
                null,
                0,
                "it is pushed to the backup site at " + backup
                        + ", which may have been promoted; start it with that backup, so that it asks there first");
    }

    /** Returns a backup with the records of that journal. */
    public static Site backup(long term, @Nullable UUID journal) {
        return new Site(
                Role.BACKUP,
                term,
                journal,
                0,
                "it is a backup site; promote it first with `slipstream replica promote`");
    }

    /**
     * Returns this backup once it has taken over, with that record as the last one of its former primary. Its term is
     * above that of a primary that it has not heard of, too, which may have started alone.
     */
    public Site promoted(long last) {
        return new Site(Role.PROMOTED, Math.max(FIRST_TERM, term) + 1, journal, last, "");
    }

    /** Returns this site once it knows of a backup that was promoted to {@code newTerm}. */
    public Site fenced(long newTerm, long last) {
        return new Site(
                Role.FENCED,
                newTerm,
                journal,
                last,
                "the backup site was promoted (term " + newTerm
                        + ") with record " + last + " as its last; clients go there. To use this folder again, "
                        + "move it away and seed a new backup from the new primary");
    }
}
