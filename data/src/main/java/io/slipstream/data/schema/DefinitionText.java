package io.slipstream.data.schema;

/** Writes definitions as text. */
final class DefinitionText {
    private DefinitionText() {}

    static String of(Definitions definitions) {
        StringBuilder text = new StringBuilder();
        for (Definition definition : definitions.all()) {
            text.append(text.isEmpty() ? "" : "\n");
            if (definition.isUnion()) {
                text.append("union ")
                        .append(definition.name())
                        .append(" id ")
                        .append(definition.id())
                        .append(" { ")
                        .append(String.join(", ", definition.variants()))
                        .append(" }\n");
            } else {
                record(definition, text);
            }
        }
        for (Type.Enumeration e : definitions.enums().values()) {
            text.append("\nenum ")
                    .append(e.name())
                    .append(" { ")
                    .append(String.join(", ", e.constants()))
                    .append(" }\n");
        }
        return text.toString();
    }

    private static void record(Definition definition, StringBuilder text) {
        text.append("record ")
                .append(definition.name())
                .append(" id ")
                .append(definition.id())
                .append(" version ")
                .append(definition.version())
                .append(" {\n");
        for (Field field : definition.fields()) {
            text.append("  ")
                    .append(field.id())
                    .append(' ')
                    .append(field.isRemoved() ? TypeText.ofRemoved(field.type()) : TypeText.of(field.type()))
                    .append(field.isOptional() ? "?" : "")
                    .append(' ')
                    .append(field.name());
            if (field.since() > 1) {
                text.append(" since ").append(field.since());
            }
            if (field.defaultText() != null) {
                text.append(" default ").append(quoted(field.defaultText()));
            }
            if (field.isRemoved()) {
                text.append(" removed ").append(field.removedIn());
            }
            text.append('\n');
        }
        text.append("}\n");
    }

    private static String quoted(String value) {
        return '"'
                + value.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '"';
    }
}
