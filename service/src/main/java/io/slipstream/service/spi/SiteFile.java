package io.slipstream.service.spi;

import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file beside a journal that says what its folder is in a pair of sites, as it stands there. */
public final class SiteFile {
    /** The name of the file. */
    public static final String NAME = "site.properties";

    private static final Set<String> KEYS = Set.of("role", "term", "journal", "refusal");

    private SiteFile() {}

    /**
     * Reads the file of a folder; empty if there is none. It was written as a whole: what is lost of it may have said
     * that this folder is not served.
     *
     * @throws IOException if it is damaged, or cannot be read
     */
    public static Optional<Properties> read(Host host, Path folder) throws IOException {
        Properties site = new Properties();
        try (Storage storage = host.storage(folder);
                StorageFile file = storage.openForReading(NAME)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.readFully(bytes, 0);
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            site.load(new StringReader(text));
            if (text.endsWith("\n")
                    && text.indexOf(0) < 0
                    && site.stringPropertyNames().containsAll(KEYS)) {
                return Optional.of(site);
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw damaged(folder, e);
        }
        throw damaged(folder, null);
    }

    /** Returns what to throw if the file is damaged, or what it says makes no sense. */
    public static IOException damaged(Path folder, @Nullable Exception cause) {
        return new IOException(
                folder.resolve(NAME) + " is damaged" + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + ". It says which site is the primary, so nobody knows whether another site serves now; put it"
                        + " back from a copy",
                cause);
    }
}
