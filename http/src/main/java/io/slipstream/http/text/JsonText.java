package io.slipstream.http.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** Writes maps, collections, strings, numbers and booleans as JSON of one line. */
public final class JsonText {
    private JsonText() {}

    /** Returns a value as JSON. */
    public static String of(Object value) {
        StringBuilder text = new StringBuilder(256);
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(separator);
                    string(text, String.valueOf(entry.getKey()));
                    text.append(':');
                    append(text, entry.getValue());
                    separator = ",";
                }
                text.append(map.isEmpty() ? "{}" : "}");
            }
            case Collection<?> all -> {
                String separator = "[";
                for (Object each : all) {
                    text.append(separator);
                    append(text, each);
                    separator = ",";
                }
                text.append(all.isEmpty() ? "[]" : "]");
            }
            case Number number -> text.append(Double.isFinite(number.doubleValue()) ? number : "null");
            case Boolean b -> text.append(b);
            default -> string(text, value.toString());
        }
    }

    private static void string(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029' || c == '<' || Character.isSurrogate(c)) {
                text.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
