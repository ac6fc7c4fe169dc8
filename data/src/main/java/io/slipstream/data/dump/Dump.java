package io.slipstream.data.dump;

import io.slipstream.data.DecodeException;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.Bytes;
import io.slipstream.data.wire.Header;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Explains encoded values. It believes nothing: damage ends it with the exception that a decoder would throw. One
 * thread.
 */
public final class Dump {
    private static final int MAX_DEPTH = 64;

    private final Definitions definitions;
    private final Consumer<Line> lines;
    private Visitor visitor;
    private MemorySegment memory = MemorySegment.NULL;
    private long base;
    private int length;
    private int end;

    /** Where the last part begins of whose type nothing is known, or 0. */
    private int unknownAt;

    /**
     * A line of a dump.
     *
     * @param offset of the bytes from the begin of the value
     * @param bytes how many
     * @param field type and field
     * @param value as text
     */
    public record Line(long offset, int bytes, String field, String value) {}

    /** Creates a dump that gives its lines to {@code lines}. */
    public Dump(Definitions definitions, Consumer<Line> lines) {
        this(definitions, lines, Visitor.NONE);
    }

    Dump(Definitions definitions, Consumer<Line> lines, Visitor visitor) {
        this.definitions = definitions;
        this.lines = lines;
        this.visitor = visitor;
    }

    /**
     * Explains one value.
     *
     * @return the bytes that it takes; {@code atMost} if the definitions no longer say how long its last part is
     * @throws DecodeException if the bytes are not what the definitions say
     */
    public int value(MemorySegment in, long offset, int atMost) {
        memory = in;
        base = offset;
        length = atMost;
        end = 0;
        unknownAt = 0;
        record(0, "value", 0);
        if (unknownAt >= end) {
            gap(unknownAt);
            line(unknownAt, 0, "", "nothing defines what begins here, so the rest of the bytes is not explained");
            return length;
        }
        return end;
    }

    private void record(int start, String field, int depth) {
        need(start, Header.BYTES, field);
        long header = Bytes.getLong(memory, base + start);
        Definition definition = definition(header, start, field);
        int block = Header.blockBytes(header);
        line(
                start,
                Header.BYTES,
                definition.name(),
                "version " + Header.version(header) + ", block of " + block + " bytes");
        need(start + Header.BYTES, block, definition.name());
        end = Math.max(end, start + Header.BYTES + block);
        if (depth > MAX_DEPTH) {
            throw new DecodeException(field, start, "is nested deeper than " + MAX_DEPTH + " records");
        }
        visitor.begin(definition.name() + "[");
        block(definition, Header.version(header), start + Header.BYTES, depth);
        visitor.end("]");
    }

    private Definition definition(long header, int start, String field) {
        Definition definition = definitions.find(Header.typeId(header));
        if (definition == null) {
            throw new DecodeException(field, start, "no definition has the id " + Header.typeId(header));
        }
        int version = Header.version(header);
        boolean isWrong = version == 0 || version <= definition.version()
                ? header != definition.header(Math.max(1, version))
                : Header.blockBytes(header) < definition.blockBytes();
        if (isWrong) {
            throw new DecodeException(definition.name(), start, "version " + version + " of another schema");
        }
        return definition;
    }

    private void block(Definition definition, int version, int block, int depth) {
        for (Field field : definition.fields()) {
            if (field.since() <= version) {
                Visitor all = visitor;
                visitor = field.isRemoved() ? Visitor.NONE : all;
                visitor.next(field.name() + "=");
                field(definition.name() + "." + field.name(), field, block, depth);
                visitor = all;
            }
        }
    }

    private void field(String name, Field field, int block, int depth) {
        int slot = block + field.offset();
        int bytes = field.type().slotBytes();
        int bit = field.presenceBit();
        if (bit >= 0 && (Bytes.getByte(memory, base + block + (bit >> 3)) >> (bit & 7) & 1) == 0) {
            line(slot, bytes, name, "absent");
            visitor.value("null");
        } else if (field.type().isFixed()) {
            String value = Values.text(field.type(), memory, base + slot, slot, name);
            line(slot, bytes, name, value + (field.isRemoved() ? " (removed)" : ""));
            visitor.value(value);
        } else {
            slot(name, field, slot, depth);
        }
    }

    /** Explains a slot of a field; of what was removed only where it begins, if nothing defines its type any more. */
    private void slot(String name, Field field, int slot, int depth) {
        if (!field.isRemoved() || isKnown(field.type())) {
            slot(name, field.type(), slot, field.isOptional(), depth);
            return;
        }
        int start = Bytes.getInt(memory, base + slot);
        if (start < 0 || start > length) {
            throw new DecodeException(
                    name, slot, "begins at " + Integer.toUnsignedString(start) + ", not from 0 to " + length);
        }
        unknownAt = Math.max(unknownAt, start);
        line(
                slot,
                Type.REFERENCE_BYTES,
                name,
                (start == 0 ? "absent" : "at " + Integer.toUnsignedString(start)) + " (removed)");
    }

    private boolean isKnown(Type type) {
        return switch (type) {
            case Type.Sequence(Type element, int max) -> isKnown(element);
            case Type.Reference(String target) -> definitions.find(target) != null;
            default -> true;
        };
    }

    private void slot(String name, Type type, int slot, boolean isOptional, int depth) {
        int start = Bytes.getInt(memory, base + slot);
        if (start == 0) {
            line(slot, Type.REFERENCE_BYTES, name, isOptional ? "absent" : "empty");
            visitor.value(isOptional ? "null" : type instanceof Type.Text ? "\"\"" : "[]");
            return;
        }
        line(slot, Type.REFERENCE_BYTES, name, "at " + Integer.toUnsignedString(start));
        if (start < end || start > length) {
            throw new DecodeException(
                    name, slot, "begins at " + Integer.toUnsignedString(start) + ", not from " + end + " to " + length);
        }
        gap(start);
        part(name, type, start, depth);
    }

    private void gap(int next) {
        if (next > end) {
            line(end, next - end, "", "not explained");
        }
    }

    private void part(String name, Type type, int start, int depth) {
        switch (type) {
            case Type.Text t -> bytes(name, start);
            case Type.Array(Type.Scalar element, int max, boolean isExact) -> list(name, element, start, depth);
            case Type.Sequence(Type element, int max) -> list(name, element, start, depth);
            case Type.Reference r -> record(start, name, depth + 1);
            default -> throw new IllegalArgumentException(type.toString());
        }
    }

    private void bytes(String name, int start) {
        int count = count(name, start, 1);
        end = start + Integer.BYTES + count;
        String text = Values.quoted(memory, base + start + Integer.BYTES, count);
        line(start, Integer.BYTES + count, name, text);
        visitor.value(text);
    }

    private void list(String name, Type element, int start, int depth) {
        boolean isOfRecords = element instanceof Type.Reference(String target)
                && !definitions.get(target).isUnion();
        if (isOfRecords) {
            records(name, start, depth);
            return;
        }
        int each = element.slotBytes();
        int count = count(name, start, each);
        line(start, Integer.BYTES, name, count + " elements");
        int first = start + Integer.BYTES;
        end = first + count * each;
        visitor.begin("[");
        for (int i = 0; i < count; i++) {
            int at = first + i * each;
            visitor.next("");
            if (element.isFixed()) {
                String value = Values.text(element, memory, base + at, at, name);
                line(at, each, name + "[" + i + "]", value);
                visitor.value(value);
            } else {
                slot(name + "[" + i + "]", element, at, false, depth);
            }
        }
        visitor.end("]");
    }

    private void records(String name, int start, int depth) {
        need(start, Integer.BYTES + Header.BYTES, name);
        long header = Bytes.getLong(memory, base + start + Integer.BYTES);
        Definition definition = definition(header, start + Integer.BYTES, name);
        int blockBytes = Math.max(1, Header.blockBytes(header));
        int count = count(name, start, blockBytes);
        int first = start + Integer.BYTES + Header.BYTES;
        need(first, (long) count * blockBytes, name);
        if (depth >= MAX_DEPTH) {
            throw new DecodeException(name, start, "is nested deeper than " + MAX_DEPTH + " records");
        }
        line(start, Integer.BYTES, name, count + " elements");
        line(
                start + Integer.BYTES,
                Header.BYTES,
                definition.name(),
                "version " + Header.version(header) + ", blocks of " + blockBytes + " bytes");
        end = first + count * blockBytes;
        visitor.begin("[");
        for (int i = 0; i < count; i++) {
            visitor.next("");
            visitor.begin(definition.name() + "[");
            block(definition, Header.version(header), first + i * blockBytes, depth + 1);
            visitor.end("]");
        }
        visitor.end("]");
    }

    private int count(String name, int start, int each) {
        need(start, Integer.BYTES, name);
        int count = Bytes.getInt(memory, base + start);
        if (count < 0 || (long) count * each > length - start - Integer.BYTES) {
            throw new DecodeException(
                    name,
                    start,
                    "says that it has " + Integer.toUnsignedString(count)
                            + " elements of " + each
                            + " bytes, but the message ends at " + length);
        }
        return count;
    }

    private void need(int start, long bytes, String name) {
        if (start + bytes > length) {
            throw new DecodeException(name, start, "needs " + bytes + " bytes, but the message ends at " + length);
        }
    }

    private void line(int offset, int bytes, String field, String value) {
        lines.accept(new Line(offset, bytes, field, value));
    }
}
