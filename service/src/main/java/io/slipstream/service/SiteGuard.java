package io.slipstream.service;

import io.slipstream.service.host.Host;
import io.slipstream.service.spi.SiteFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;

/** Keeps a service from a folder that belongs to a pair of sites, unless its log gate has decided about it. */
final class SiteGuard {
    private SiteGuard() {}

    /** Throws with the reason if the folder says that it must not be served alone. */
    static void requireServableAlone(Host host, Path directory) throws IOException {
        String refusal =
                SiteFile.read(host, directory).orElseGet(Properties::new).getProperty("refusal", "");
        if (!refusal.isEmpty()) {
            throw new IOException("the journal in " + directory + " is not served: " + refusal);
        }
    }
}
