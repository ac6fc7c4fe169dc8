package io.slipstream.log.event;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All statements that have logged, by their number. Any thread may ask; registering takes a lock, once for each
 * statement.
 */
public final class Sites {
    /** The most statements; further ones are logged as texts. */
    public static final int LIMIT = 1 << 16;
    /** The most characters of a message that gets a number; a longer one is logged as a text. */
    public static final int MAX_CHARACTERS = 1 << 10;
    /** The most characters of all messages that have a number, and of the names of their loggers. */
    static final int LIMIT_CHARACTERS = 1 << 22;

    private final Map<Site, Site> known = new HashMap<>();
    private final Consumer<Site> onNew;
    private final Sightings sightings = new Sightings();
    private volatile @Nullable Site[] byId = new Site[64];
    private volatile boolean full;
    private int last;
    private int characters;

    /** Calls {@code onNew} with each new site before its number is used. */
    public Sites(Consumer<Site> onNew) {
        this.onNew = onNew;
        // Lets the JVM link what compares them, as Arguments.link does.
        known.put(new Site(0, Level.OFF, "", ""), new Site(0, Level.OFF, "", ""));
        known.remove(new Site(0, Level.OFF, "", ""));
    }

    /** Returns the statement with that number, or null if there is none. */
    public @Nullable Site get(int id) {
        @Nullable Site[] sites = byId;
        return id > 0 && id < sites.length ? sites[id] : null;
    }

    /**
     * Counts that this message object has come to the table of that number; returns whether it comes so often that it
     * is a statement's. A text that was made up for one call never is.
     */
    public boolean isSeenOften(String message, int table) {
        return message.length() <= MAX_CHARACTERS && sightings.isOften(message, table);
    }

    /** Notes that a statement got no number, as there are too many. */
    public void overflow() {
        full = true;
    }

    /** Returns whether a statement got no number, as there are too many. */
    public boolean isFull() {
        return full;
    }

    /** Returns the statement's one and only site, or null if there are too many already. */
    public synchronized @Nullable Site register(Level level, String logger, String message) {
        Site key = new Site(0, level, logger, message);
        Site found = known.get(key);
        if (found != null) {
            return found;
        }
        if (last >= LIMIT || characters + message.length() + logger.length() > LIMIT_CHARACTERS) {
            overflow();
            return null;
        }
        Site site = new Site(last + 1, level, logger, message);
        add(site);
        onNew.accept(site);
        return site;
    }

    /** Adds one with a number of its own, as it was kept in a file. */
    public synchronized void add(Site site) {
        @Nullable Site[] sites = byId;
        if (site.id() >= sites.length) {
            sites = Arrays.copyOf(sites, Math.max(2 * sites.length, site.id() + 1));
        }
        sites[site.id()] = site;
        known.put(new Site(0, site.level(), site.logger(), site.message()), site);
        last = Math.max(last, site.id());
        characters = (int) Math.min(
                Integer.MAX_VALUE / 2,
                (long) characters + site.message().length() + site.logger().length());
        // Stored anew in any case, so that whoever reads it next sees the site.
        byId = sites;
    }
}
