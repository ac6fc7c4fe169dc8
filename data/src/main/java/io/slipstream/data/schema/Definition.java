package io.slipstream.data.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of one type look like: all that a reader in any language needs. Immutable.
 *
 * <p>A definition has either fields, or variants: then a value is one of these, and its bytes say which.
 *
 * @param name of the type
 * @param id the number by which bytes name the type
 * @param version the newest version in which a field was added or removed
 * @param fields in the order of their numbers, with those that were removed
 * @param variants names of the definitions of which a value is one; empty for a record
 */
public record Definition(String name, int id, int version, List<Field> fields, List<String> variants) {
    /** The highest number of a type, a field or a version. */
    public static final int MAX_NUMBER = 0xffff;

    /** Most bytes of a block: its length is a number of two bytes. */
    public static final int MAX_BLOCK_BYTES = 0xffff;

    /** Copies the lists. */
    public Definition {
        fields = List.copyOf(fields);
        variants = List.copyOf(variants);
    }

    /**
     * Returns the definition of a record and gives every field its place.
     *
     * @throws SchemaException if it cannot be, by name of the field
     */
    public static Definition of(String name, int id, List<Field> fields) {
        List<Field> sorted = new ArrayList<>(fields);
        sorted.sort(Comparator.comparingInt(Field::id));
        int version = 1;
        for (Field field : sorted) {
            version = Math.max(version, Math.max(field.since(), field.removedIn()));
        }
        DefinitionRules.check(name, id, sorted);
        return new Definition(name, id, version, BlockLayout.place(name, sorted), List.of());
    }

    /** Returns the definition of a type whose values are each of one of the variants. */
    public static Definition ofVariants(String name, int id, List<String> variants) {
        return new Definition(name, id, 1, List.of(), variants);
    }

    /** Returns whether a value is of one of several other definitions. */
    public boolean isUnion() {
        return !variants.isEmpty();
    }

    /** Returns the field of this name that is not removed, or null. */
    public @Nullable Field field(String wanted) {
        for (Field field : fields) {
            if (field.name().equals(wanted) && !field.isRemoved()) {
                return field;
            }
        }
        return null;
    }

    /** Returns the bytes of the block that version {@code of} of this type has. */
    public int blockBytes(int of) {
        int end = 0;
        for (Field field : fields) {
            if (field.since() <= of) {
                end = Math.max(end, field.offset() + field.type().slotBytes());
            }
        }
        return Math.max(1, end);
    }

    /** Returns the bytes of the block. */
    public int blockBytes() {
        return blockBytes(version);
    }

    /**
     * Returns sixteen bits that tell the fields of version {@code of} from others: those of two definitions whose
     * fields differ in a number, a name or a type are different but for one case in 65,536.
     */
    public int fingerprint(int of) {
        return Fingerprint.of(this, of);
    }

    /** Returns the header of a value that is written in this version; see {@code docs/data-format.md}. */
    public long header() {
        return header(version);
    }

    /** Returns the header of a value of version {@code of}. */
    public long header(int of) {
        return id | (long) of << 16 | (long) blockBytes(of) << 32 | (long) fingerprint(of) << 48;
    }
}
