package io.slipstream.cluster.config;

import io.slipstream.core.text.SettingsText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * All members of a cluster. They are the same for every member, and do not change while it runs.
 *
 * @param all by id, from 0 on without gaps; from 1 to {@value #MOST} of them
 */
public record Members(List<MemberAddress> all) {
    /** The most members that a cluster has. */
    public static final int MOST = 9;

    private static final String PREFIX = "member.";

    /** Checks that the ids have no gaps. */
    public Members {
        all = List.copyOf(all);
        if (all.isEmpty() || all.size() > MOST) {
            throw new IllegalArgumentException("a cluster has from 1 to " + MOST + " members, not " + all.size());
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id() != i) {
                throw new IllegalArgumentException(
                        "the members have the ids from 0 to " + (all.size() - 1) + "; number " + i + " is not there");
            }
        }
    }

    /**
     * Reads lines such as {@code member.0 = 10.0.0.1:9000}.
     *
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if it does not name the members; the message says where
     */
    public static Members load(Path file) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(SettingsText.read(file)));
        try {
            return of(properties);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** As {@link #load}, from properties that were read before; those of other names are ignored. */
    public static Members of(Properties properties) {
        List<MemberAddress> members = new ArrayList<>();
        for (int id = 0; properties.getProperty(PREFIX + id) instanceof String address; id++) {
            members.add(address(id, address.strip()));
        }
        long named = properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .count();
        if (named != members.size() || members.isEmpty()) {
            throw new IllegalArgumentException("the members are member.0, member.1, and so on without a gap, each as"
                    + " HOST:PORT; there are " + named + ", of which " + members.size() + " follow each other");
        }
        return new Members(members);
    }

    private static MemberAddress address(int id, String address) {
        int colon = address.lastIndexOf(':');
        try {
            return new MemberAddress(
                    id, address.substring(0, Math.max(0, colon)), Integer.parseInt(address.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(PREFIX + id + " is HOST:PORT, not " + address, e);
        }
    }

    /** Returns how many there are. */
    public int size() {
        return all.size();
    }

    /** Returns how many of them are a majority. */
    public int majority() {
        return all.size() / 2 + 1;
    }

    /** Returns the member with that id. */
    public MemberAddress get(int id) {
        if (id < 0 || id >= all.size()) {
            throw new IllegalArgumentException(
                    "there is no member " + id + "; the members are 0 to " + (all.size() - 1));
        }
        return all.get(id);
    }

    /** Returns where clients come, as {@link io.slipstream.service.client.ServiceClient#builder(String)} takes it. */
    public String clients() {
        return all.stream().map(MemberAddress::clients).collect(Collectors.joining(","));
    }
}
