package io.slipstream.data.schema;

import org.jspecify.annotations.Nullable;

/**
 * A field of a {@link Definition} and its place in the block.
 *
 * @param id the number of the field; fields lie in the block in the order of their numbers
 * @param name of the field
 * @param type of its values
 * @param isOptional whether it may be absent
 * @param since the version in which it was added
 * @param removedIn the version from which on it is gone, or 0
 * @param defaultText its value for bytes of earlier versions, as text, or null for the empty value of the type
 * @param offset of its slot in the block, in bytes
 * @param presenceBit the bit of the block that is set if the field is present: bit {@code presenceBit & 7} of byte
 * {@code presenceBit >> 3}; -1 if it needs none
 */
public record Field(
        int id,
        String name,
        Type type,
        boolean isOptional,
        int since,
        int removedIn,
        @Nullable String defaultText,
        int offset,
        int presenceBit) {

    /** Returns a field that has no place yet; {@link Definition#of} gives it one. */
    public static Field of(
            int id,
            String name,
            Type type,
            boolean isOptional,
            int since,
            int removedIn,
            @Nullable String defaultText) {
        return new Field(id, name, type, isOptional, since, removedIn, defaultText, -1, -1);
    }

    /** Returns whether it is gone: its place is kept, and nothing reads it. */
    public boolean isRemoved() {
        return removedIn != 0;
    }

    /** Returns whether a bit of the block says if the field is present. */
    public boolean hasPresenceBit() {
        return isOptional && type.isFixed();
    }

    /** Returns whether the two say the same but for their places. */
    public boolean isSameAs(Field other) {
        return placed(-1, -1).equals(other.placed(-1, -1));
    }

    Field placed(int at, int bit) {
        return new Field(id, name, type, isOptional, since, removedIn, defaultText, at, bit);
    }
}
