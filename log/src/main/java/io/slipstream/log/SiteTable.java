package io.slipstream.log;

import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import io.slipstream.log.event.Sites;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a log at one level, by their message. Any thread may ask, without a lock; a message that comes
 * again and again as the same object is registered under one. Others have no number: they are texts, not statements.
 */
final class SiteTable {
    private static final int MOST = 4096;
    /** What all begin with; nothing is ever put into it. */
    private static final @Nullable Site[] NONE = new Site[8];

    private final Sites sites;
    private final Level level;
    private final String logger;
    private int size;
    private volatile @Nullable Site[] table = NONE;

    SiteTable(Sites sites, Level level, String logger) {
        this.sites = sites;
        this.level = level;
        this.logger = logger;
    }

    /** Returns the number of the statement with that message, or 0 if it is none, or there are too many. */
    int id(@Nullable String message) {
        if (message == null) {
            return 0;
        }
        @Nullable Site[] slots = table;
        int mask = slots.length - 1;
        int at = message.hashCode() & mask;
        Site site = slots[at];
        // A literal is one object; equals() is for messages that are made up anew.
        while (site != null) {
            String known = site.message();
            if (known == message || known.equals(message)) {
                return site.id();
            }
            at = at + 1 & mask;
            site = slots[at];
        }
        return sites.isSeenOften(message, System.identityHashCode(this)) ? register(message) : 0;
    }

    /** Gives the statement with that message its number; 0 if there are too many. */
    synchronized int register(String message) {
        if (size == MOST) {
            sites.overflow();
            return 0;
        }
        Site site = sites.register(level, logger, message);
        if (site == null) {
            return 0;
        }
        @Nullable Site[] old = table;
        @Nullable Site[] grown = new Site[2 * size >= old.length ? 2 * old.length : old.length];
        for (Site each : old) {
            if (each != null && each.id() == site.id()) {
                return site.id();
            }
            if (each != null) {
                put(grown, each);
            }
        }
        put(grown, site);
        size++;
        table = grown;
        return site.id();
    }

    private static void put(@Nullable Site[] slots, Site site) {
        int at = site.message().hashCode() & slots.length - 1;
        while (slots[at] != null) {
            at = at + 1 & slots.length - 1;
        }
        slots[at] = site;
    }
}
