package io.slipstream.service;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Keeps a service from a folder that belongs to a pair of sites, unless its log gate has decided about it. */
final class SiteGuard {
    private static final String FILE = "site.properties";

    private SiteGuard() {}

    /** Throws with the reason if the folder says that it must not be served alone. */
    static void requireServableAlone(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return;
        }
        Properties site = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            site.load(reader);
        }
        String refusal = site.getProperty("refusal", "");
        if (!refusal.isEmpty()) {
            throw new IOException("the journal in " + directory + " is not served: " + refusal);
        }
    }
}
