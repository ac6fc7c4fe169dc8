package io.slipstream.data.schema;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Sixteen bits of a checksum over numbers, names and types of the fields of a version. */
final class Fingerprint {
    private Fingerprint() {}

    static int of(Definition definition, int version) {
        return of(text(definition, version));
    }

    /** Returns the text of which the fingerprint is a checksum. */
    static String text(Definition definition, int version) {
        StringBuilder text = new StringBuilder(definition.name());
        for (Field field : definition.fields()) {
            if (field.since() <= version) {
                text.append('\n')
                        .append(field.id())
                        .append(' ')
                        .append(field.name())
                        .append(' ')
                        .append(of(field.type()))
                        .append(field.isOptional() ? "?" : "");
            }
        }
        return text.toString();
    }

    /** Returns the lower half of the CRC-32C of the text. */
    static int of(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & 0xffff;
    }

    /** Limits and the constants of enums may change without a new version. */
    private static String of(Type type) {
        return switch (type) {
            case Type.Enumeration e -> "enum " + e.name() + (e.slotBytes() == 1 ? "" : " wide");
            case Type.Text t -> "string";
            case Type.Array(Type.Scalar element, int length, boolean isExact) ->
                TypeText.of(element) + (isExact ? "[=" + length + "]" : "[]");
            case Type.Sequence s -> "list<" + of(s.element()) + ">";
            default -> TypeText.of(type);
        };
    }
}
