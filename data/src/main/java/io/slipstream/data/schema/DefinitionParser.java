package io.slipstream.data.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads definitions from text, line by line; lines that begin with {@code #} say nothing. */
final class DefinitionParser {
    private static final Pattern RECORD = Pattern.compile("record (\\S+) id (\\d{1,5})(?: version \\d{1,5})? \\{");
    private static final Pattern UNION = Pattern.compile("union (\\S+) id (\\d{1,5}) \\{(.*)}");
    private static final Pattern ENUM = Pattern.compile("enum (\\S+) \\{(.*)}");
    private static final Pattern FIELD =
            Pattern.compile("(\\d{1,5}) ((?:list<)*(?:(?:enum2?|record) )?\\S+) (\\S+)(?: since (\\d{1,5}))?"
                    + "(?: default \"([^\"\\\\]*(?:\\\\.[^\"\\\\]*)*)\")?(?: removed (\\d{1,5}))?");

    /** Far more than a field needs, and so few that it is read in no time, whatever it says. */
    private static final int LONGEST_FIELD = 4096;

    private final List<String> lines;
    private final Map<String, List<String>> enums = new LinkedHashMap<>();
    private final List<Definition> definitions = new ArrayList<>();

    private DefinitionParser(String text) {
        lines = text.lines().map(line -> squeezed(line.strip())).toList();
    }

    /** Returns a line with a single space in place of each gap that is not within quotes. */
    private static String squeezed(String line) {
        StringBuilder squeezed = new StringBuilder(line.length());
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (!isQuoted && Character.isWhitespace(c)) {
                if (!Character.isWhitespace(line.charAt(i - 1))) {
                    squeezed.append(' ');
                }
                continue;
            }
            squeezed.append(c);
            if (isQuoted && c == '\\' && i + 1 < line.length()) {
                squeezed.append(line.charAt(++i));
            } else {
                isQuoted ^= c == '"';
            }
        }
        return squeezed.toString();
    }

    static Definitions parse(String text) {
        return new DefinitionParser(text).parse();
    }

    private Definitions parse() {
        for (int line = 0; line < lines.size(); line++) {
            Matcher m = ENUM.matcher(lines.get(line));
            if (m.matches() && enums.put(m.group(1), names(m.group(2))) != null) {
                throw error(line, "defines " + m.group(1) + " for the second time");
            }
        }
        int at = 0;
        while (at < lines.size()) {
            at = definition(at);
        }
        if (definitions.isEmpty()) {
            throw new SchemaException("no definition is in the text; one begins with: record Order id 7 {");
        }
        Definitions all = new Definitions(definitions);
        for (Definition definition : definitions) {
            Definitions.of(definition, definitions);
        }
        refuseUnknown(all);
        EndlessCycles.refuse(definitions);
        return all;
    }

    /** Reads what begins at a line; returns the number of the line behind it. */
    private int definition(int at) {
        String line = lines.get(at);
        if (line.isEmpty() || line.startsWith("#") || ENUM.matcher(line).matches()) {
            return at + 1;
        }
        Matcher union = UNION.matcher(line);
        if (union.matches()) {
            add(at, Definition.ofVariants(union.group(1), Integer.parseInt(union.group(2)), names(union.group(3))));
            return at + 1;
        }
        Matcher record = RECORD.matcher(line);
        if (!record.matches()) {
            throw error(
                    at,
                    "is none of \"record NAME id N {\"," + " \"union NAME id N { A, B }\" and \"enum NAME { A, B }\"");
        }
        List<Field> fields = new ArrayList<>();
        int end = at + 1;
        while (end < lines.size() && !lines.get(end).equals("}")) {
            if (!lines.get(end).isEmpty() && !lines.get(end).startsWith("#")) {
                fields.add(field(end, record.group(1)));
            }
            end++;
        }
        if (end == lines.size()) {
            throw error(at, "has no end: a line with } alone is missing");
        }
        add(at, Definition.of(record.group(1), Integer.parseInt(record.group(2)), fields));
        return end + 1;
    }

    private void add(int at, Definition definition) {
        if (definitions.stream().anyMatch(d -> d.name().equals(definition.name()))) {
            throw error(at, "defines " + definition.name() + " for the second time");
        }
        definitions.add(definition);
    }

    private Field field(int at, String owner) {
        if (lines.get(at).length() > LONGEST_FIELD) {
            throw new SchemaException("line " + (at + 1) + " has "
                    + lines.get(at).length() + " characters; a field has at most " + LONGEST_FIELD);
        }
        Matcher m = FIELD.matcher(lines.get(at));
        if (!m.matches()) {
            throw error(at, "is not a field, as \"3 decimal(2)? price since 2 default \"1.50\"\" is");
        }
        TypeParser.Parsed type = TypeParser.parse(m.group(2), owner + "." + m.group(3), enums);
        return Field.of(
                Integer.parseInt(m.group(1)),
                m.group(3),
                type.type(),
                type.isOptional(),
                m.group(4) == null ? 1 : Integer.parseInt(m.group(4)),
                m.group(6) == null ? 0 : Integer.parseInt(m.group(6)),
                unquoted(m.group(5)));
    }

    private static @Nullable String unquoted(@Nullable String text) {
        return text == null
                ? null
                : Pattern.compile("\\\\(.)")
                        .matcher(text)
                        .replaceAll(m -> Matcher.quoteReplacement(
                                switch (m.group(1)) {
                                    case "n" -> "\n";
                                    case "r" -> "\r";
                                    default -> m.group(1);
                                }));
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private static void refuseUnknown(Definitions all) {
        for (Definition definition : all.all()) {
            refuseSameIds(definition, all);
            for (Field field : definition.fields()) {
                Type type = field.type();
                while (type instanceof Type.Sequence list) {
                    type = list.element();
                }
                if (type instanceof Type.Reference(String name) && !field.isRemoved() && all.find(name) == null) {
                    throw new SchemaException(definition.name() + "." + field.name() + ": nothing defines " + name);
                }
            }
        }
    }

    /** The bytes of a union name its records by their ids only. */
    private static void refuseSameIds(Definition union, Definitions all) {
        Map<Integer, String> ids = new HashMap<>();
        for (String variant : union.variants()) {
            String other = ids.put(all.get(variant).id(), variant);
            if (other != null) {
                throw new SchemaException(union.name() + ": " + other + " and " + variant + " both have the id "
                        + all.get(variant).id());
            }
        }
    }

    private SchemaException error(int at, String what) {
        return new SchemaException("line " + (at + 1) + " " + what + ": " + lines.get(at));
    }
}
