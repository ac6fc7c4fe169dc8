package io.slipstream.data.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Gives every field its place: version by version, first the presence bits of the fields that the version added, in
 * whole bytes, then their slots. So the block of a version is the beginning of the block of every later one.
 */
final class BlockLayout {
    private BlockLayout() {}

    /** Returns the fields, which are sorted by number and so by version, with their places. */
    static List<Field> place(String name, List<Field> sorted) {
        List<Field> placed = new ArrayList<>();
        int at = 0;
        int from = 0;
        while (from < sorted.size()) {
            int to = from;
            int bits = 0;
            while (to < sorted.size()
                    && sorted.get(to).since() == sorted.get(from).since()) {
                bits += sorted.get(to).hasPresenceBit() ? 1 : 0;
                to++;
            }
            int bit = at << 3;
            at += bits + 7 >> 3;
            for (Field field : sorted.subList(from, to)) {
                placed.add(field.placed(at, field.hasPresenceBit() ? bit++ : -1));
                at = end(name, field, at);
            }
            from = to;
        }
        return placed;
    }

    private static int end(String name, Field field, int at) {
        long end = (long) at + field.type().slotBytes();
        if (end > Definition.MAX_BLOCK_BYTES) {
            throw new SchemaException(name + "." + field.name() + ": the fixed fields take more than "
                    + Definition.MAX_BLOCK_BYTES
                    + " bytes with it; use @MaxLength in place of @Length for long arrays");
        }
        return (int) end;
    }
}
