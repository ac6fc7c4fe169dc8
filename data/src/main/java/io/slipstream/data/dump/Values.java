package io.slipstream.data.dump;

import io.slipstream.data.DecodeException;
import io.slipstream.data.schema.Type;
import io.slipstream.data.wire.Bytes;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.UUID;

/** Single values as text. */
final class Values {
    private static final int SHOWN = 120;

    private Values() {}

    /** Returns the value of a fixed type. */
    static String text(Type type, MemorySegment m, long at, int offset, String field) {
        return switch (type) {
            case Type.Scalar scalar -> scalar(scalar, m, at, offset, field);
            case Type.Decimal(int scale) ->
                BigDecimal.valueOf(Bytes.getLong(m, at), scale).toPlainString();
            case Type.Enumeration e -> {
                int index = e.slotBytes() == 1 ? Bytes.getByte(m, at) & 0xff : Bytes.getChar(m, at);
                yield index < e.constants().size() ? e.constants().get(index) : "unknown constant " + index;
            }
            case Type.Array(Type.Scalar element, int length, boolean isExact) -> {
                StringBuilder text = new StringBuilder("[");
                for (int i = 0; i < length && text.length() < SHOWN; i++) {
                    text.append(i == 0 ? "" : ", ")
                            .append(scalar(element, m, at + (long) i * element.slotBytes(), offset, field));
                }
                yield text.append(text.length() < SHOWN ? "]" : ", ...]").toString();
            }
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static String scalar(Type.Scalar type, MemorySegment m, long at, int offset, String field) {
        try {
            return switch (type) {
                case BOOLEAN -> Boolean.toString(Bytes.getBoolean(m, at));
                case BYTE -> Byte.toString(Bytes.getByte(m, at));
                case SHORT -> Short.toString(Bytes.getShort(m, at));
                case CHAR -> quoted(Character.toString(Bytes.getChar(m, at)));
                case INT -> Integer.toString(Bytes.getInt(m, at));
                case LONG -> Long.toString(Bytes.getLong(m, at));
                case FLOAT -> Float.toString(Bytes.getFloat(m, at));
                case DOUBLE -> Double.toString(Bytes.getDouble(m, at));
                case INSTANT ->
                    Instant.ofEpochSecond(Bytes.getLong(m, at), nanos(m, at)).toString();
                case DURATION ->
                    Duration.ofSeconds(Bytes.getLong(m, at), nanos(m, at)).toString();
                case DATE -> LocalDate.ofEpochDay(Bytes.getInt(m, at)).toString();
                case UUID -> new UUID(Bytes.getLong(m, at), Bytes.getLong(m, at + Long.BYTES)).toString();
            };
        } catch (DateTimeException | ArithmeticException e) {
            throw new DecodeException(field, offset, "is no time: " + e.getMessage());
        }
    }

    private static int nanos(MemorySegment m, long at) {
        int nanos = Bytes.getInt(m, at + Long.BYTES);
        if (nanos < 0 || nanos > 999_999_999) {
            throw new DateTimeException(nanos + " nanoseconds of a second");
        }
        return nanos;
    }

    /** Returns a text in quotes on one line, its end cut off if it is long. */
    static String quoted(MemorySegment m, long at, int bytes) {
        byte[] shown = new byte[Math.min(bytes, SHOWN)];
        MemorySegment.copy(m, at, MemorySegment.ofArray(shown), 0, shown.length);
        return quoted(new String(shown, StandardCharsets.UTF_8)) + (bytes > SHOWN ? " ... " + bytes + " bytes" : "");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars()
                .forEach(c -> quoted.append(
                        c < ' ' || c == 0x7f || c == '"' || c == '\\'
                                ? String.format(Locale.ROOT, "\\u%04x", c)
                                : Character.toString(c)));
        return quoted.append('"').toString();
    }
}
