package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;

/** A collection that a key holds. For one thread. */
public sealed interface Value permits ListValue, HashValue, SetValue, SortedSet, StreamValue {
    /** Number of a string among the types; its bytes are in the record of the key. */
    byte STRING = 0;

    /** Collections of up to so many elements are scanned at once, whatever count is asked for. */
    int SCANNED_AT_ONCE = PackedForm.MAX_ELEMENTS;

    /** Returns how many elements there are. */
    int size();

    /** Returns whether the key goes that holds it, as nothing is in it. */
    default boolean isNothing() {
        return size() == 0;
    }

    /** Returns the number of its type, which is in snapshots. */
    byte type();

    /** Returns the hash of the content; equal contents have equal hashes. */
    long contentHash();

    /**
     * Reads what is read to look up an element whose name has that {@link Bytes#hashCode}, so that it is in the cache.
     *
     * @return a number of no meaning
     */
    default int touch(int nameHash) {
        return 0;
    }

    /** Writes the content. */
    void save(StateOutput output);

    /** Returns what Redis would call the form in which it holds such a content. */
    String encoding();

    /** Returns roughly how many bytes of the heap it takes. */
    long bytes();

    /** Returns the name of a type as {@code TYPE} tells it. */
    static String typeName(byte type) {
        return switch (type) {
            case STRING -> "string";
            case ListValue.TYPE -> "list";
            case SetValue.TYPE -> "set";
            case SortedSet.TYPE -> "zset";
            case StreamValue.TYPE -> "stream";
            default -> "hash";
        };
    }

    /** Reads what {@link #save} has written. */
    static Value load(byte type, StateInput input) {
        return switch (type) {
            case ListValue.TYPE -> ListValue.load(input);
            case SetValue.TYPE -> SetValue.load(input);
            case SortedSet.TYPE -> SortedSet.load(input);
            case HashValue.TYPE -> HashValue.load(input);
            case StreamValue.TYPE -> StreamValue.load(input);
            default -> throw new IllegalArgumentException("there is no type " + type);
        };
    }

    /** Returns a copy that changes by itself. */
    static Value copy(Value value) {
        switch (value) {
            case ListValue list -> {
                ListValue copy = new ListValue();
                for (int i = 0; i < list.size(); i++) {
                    copy.addLast(list.get(i));
                }
                return copy;
            }
            case SetValue set -> {
                SetValue copy = new SetValue();
                set.members().forEach(copy::add);
                return copy;
            }
            case HashValue hash -> {
                HashValue copy = new HashValue();
                hash.forEach(copy::put);
                return copy;
            }
            case StreamValue stream -> {
                return stream.copy();
            }
            case SortedSet sorted -> {
                SortedSet copy = new SortedSet();
                sorted.forEach(node -> copy.put(node.member(), node.score()));
                return copy;
            }
        }
    }
}
