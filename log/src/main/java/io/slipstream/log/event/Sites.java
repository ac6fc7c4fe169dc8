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
    /** The most statements; a program that makes up messages as it runs ends here, and not when the memory is full. */
    public static final int LIMIT = 1 << 16;

    private final Map<Site, Site> known = new HashMap<>();
    private final Consumer<Site> onNew;
    private volatile @Nullable Site[] byId = new Site[64];
    private int last;

    /** Calls {@code onNew} with each new site before its number is used. */
    public Sites(Consumer<Site> onNew) {
        this.onNew = onNew;
    }

    /** Returns the statement with that number, or null if there is none. */
    public @Nullable Site get(int id) {
        @Nullable Site[] sites = byId;
        return id > 0 && id < sites.length ? sites[id] : null;
    }

    /** Returns the statement's one and only site, or null if there are too many already. */
    public synchronized @Nullable Site register(Level level, String logger, String message) {
        Site key = new Site(0, level, logger, message);
        Site found = known.get(key);
        if (found != null || last == LIMIT) {
            return found;
        }
        Site site = new Site(last + 1, level, logger, message);
        add(site);
        onNew.accept(site);
        return site;
    }

    /** Adds one with a number of its own, as it was kept in a file. */
    public synchronized void add(Site site) {
        @Nullable Site[] sites = byId;
        @Nullable
        Site[] copy = Arrays.copyOf(
                sites, site.id() < sites.length ? sites.length : Math.max(2 * sites.length, site.id() + 1));
        copy[site.id()] = site;
        known.put(new Site(0, site.level(), site.logger(), site.message()), site);
        last = Math.max(last, site.id());
        byId = copy;
    }
}
