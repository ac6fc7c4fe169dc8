package io.slipstream.keyvalue.memory;

import io.slipstream.keyvalue.value.Bytes;

/** A key of a database. */
public record Place(int database, Bytes key) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
        int byDatabase = Integer.compare(database, other.database);
        return byDatabase == 0 ? key.compareTo(other.key) : byDatabase;
    }
}
