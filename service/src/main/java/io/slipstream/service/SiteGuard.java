package io.slipstream.service;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps a service from a folder that belongs to a pair of sites, unless its log gate has decided about it. */
final class SiteGuard {
    private static final String FILE = "site.properties";

    private static final Set<String> KEYS = Set.of("role", "term", "journal", "refusal");

    private SiteGuard() {}

    /** Throws with the reason if the folder says that it must not be served alone. */
    static void requireServableAlone(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return;
        }
        String refusal = read(file).getProperty("refusal", "");
        if (!refusal.isEmpty()) {
            throw new IOException("the journal in " + directory + " is not served: " + refusal);
        }
    }

    /** Reads a file that was written as a whole: what is lost of it may have said that this folder is not served. */
    private static Properties read(Path file) throws IOException {
        Properties site = new Properties();
        try {
            String text = Files.readString(file);
            site.load(new StringReader(text));
            if (text.endsWith("\n")
                    && text.indexOf(0) < 0
                    && site.stringPropertyNames().containsAll(KEYS)) {
                return site;
            }
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw damaged(file, e);
        }
        throw damaged(file, null);
    }

    private static IOException damaged(Path file, @Nullable Exception cause) {
        return new IOException(
                file + " is damaged, so nobody knows whether another site serves now; put it back from a copy", cause);
    }
}
