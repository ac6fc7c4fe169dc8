package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes definitions as a header of C11: {@code records.h}, then an enum or a struct for each, where the fields lie,
 * and functions that read and write a message.
 */
final class CHeader extends RecordsText {
    private final CTypes types;
    private final Set<String> names = new HashSet<>();
    private final Set<String> declared = new HashSet<>();

    private CHeader(Definitions definitions) {
        super(definitions);
        this.types = new CTypes(definitions);
    }

    /**
     * Returns the header with the records of a schema.
     *
     * @throws IllegalArgumentException if two things would have the same name in C
     */
    static String of(Definitions definitions) {
        CHeader header = new CHeader(definitions);
        header.write("Records", definitions.all().getFirst().name(), List.of());
        return header.toString();
    }

    /**
     * Returns the header with all records of a service; the types of the replies, and a union of all events.
     *
     * @throws IllegalArgumentException if two types of the service have the same name, or two things would have it in C
     */
    static String of(Contract contract) {
        List<Definition> all = new ArrayList<>(definitionsOf(contract).all());
        if (!contract.events().isEmpty()) {
            all.add(Definition.ofVariants(contract.name() + "_event", 0, events(contract)));
        }
        CHeader header = new CHeader(new Definitions(all));
        header.write("Records of the service " + contract.name(), contract.name(), List.copyOf(contract.operations()));
        return header.toString();
    }

    private void write(String title, String name, List<Operation<?, ?>> operations) {
        line("/* " + title + ". Written by 'slipstream schema c'; not to be edited. */");
        lines(runtime());
        String guard = "SLR_RECORDS_OF_" + CTypes.name(name);
        line("\n#ifndef " + guard + "\n#define " + guard);
        definitions.enums().values().forEach(this::enumeration);
        line("");
        definitions.all().forEach(this::announce);
        records().forEach(this::lists);
        unions().forEach(this::union);
        records().forEach(this::struct);
        line("");
        records().forEach(each -> line("static const slr_layout " + layoutOf(each.name()) + ";"));
        definitions.all().forEach(this::type);
        records().forEach(this::layout);
        definitions.all().forEach(this::functions);
        operations.forEach(this::reply);
        line("\n#endif");
    }

    private static String runtime() {
        try (InputStream in = CHeader.class.getResourceAsStream("records.h")) {
            if (in == null) {
                throw new IllegalStateException("records.h is missing in the module io.slipstream.cli");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void enumeration(Type.Enumeration type) {
        line("\ntypedef enum {");
        for (int i = 0; i < type.constants().size(); i++) {
            line("    " + taken(CTypes.name(type.name(), type.constants().get(i))) + " = " + i + ",");
        }
        line("} " + taken(CTypes.name(type.name())) + ";");
    }

    private void announce(Definition definition) {
        String name = taken(CTypes.name(definition.name()));
        line("typedef struct " + name + " " + name + ";");
    }

    private void lists(Definition definition) {
        present(definition).forEach(field -> declare(field.type()));
    }

    /** Declares arrays and lists, those within first; other headers may have those of types that are in all. */
    private void declare(Type type) {
        String name = types.word(type);
        switch (type) {
            case Type.Array(Type.Scalar element, int length, boolean isExact) -> {
                String plain = CTypes.isBytes(type) ? "uint8_t" : types.element(element);
                if (isExact) {
                    declare(name, "typedef " + plain + " " + name + "[" + length + "];");
                } else if (!CTypes.isBytes(type)) {
                    declare(name, list(name, plain));
                }
            }
            case Type.Sequence list -> {
                declare(list.element());
                declare(name, list(name, types.element(list.element())));
            }
            default -> {}
        }
    }

    private static String list(String name, String element) {
        return "typedef struct {\n    size_t count;\n    const " + element + " *items;\n} " + name + ";";
    }

    private void declare(String name, String declaration) {
        if (!declared.add(name)) {
            return;
        }
        taken(name);
        line(
                name.startsWith("slr_")
                        ? "\n#ifndef " + name + "\n#define " + name + " " + name + "\n" + declaration + "\n#endif"
                        : "\n" + declaration);
    }

    private void union(Definition definition) {
        String name = CTypes.name(definition.name());
        line("\nenum {");
        for (int i = 0; i < definition.variants().size(); i++) {
            line("    " + taken(CTypes.name(name, definition.variants().get(i))) + " = " + i + ",");
        }
        line("};\n\nstruct " + name + " {\n    int kind;\n    union {");
        for (String variant : definition.variants()) {
            line("        const " + CTypes.name(variant) + " *" + CTypes.name(variant) + ";");
        }
        line("    };\n};");
    }

    private void struct(Definition definition) {
        line("\nstruct " + CTypes.name(definition.name()) + " {");
        Set<String> members = new HashSet<>();
        for (Field field : present(definition)) {
            String name = CTypes.name(field.name());
            if (field.isOptional()) {
                line("    bool " + free(has(field), members) + ";");
            }
            String type = types.annotation(field.type());
            String note = CTypes.note(field.type());
            line("    " + type + (type.endsWith("*") ? "" : " ") + free(name, members) + ";"
                    + (note.isEmpty() ? "" : " /* " + note + " */"));
        }
        line((members.isEmpty() ? "    char nothing;\n" : "") + "};");
    }

    private void type(Definition definition) {
        String name = CTypes.name(definition.name());
        List<String> records = definition.isUnion() ? definition.variants() : List.of(definition.name());
        line("static const slr_type " + typeOf(definition) + " = {"
                + (definition.isUnion() ? "SLR_UNION" : "SLR_RECORD") + ", " + Type.REFERENCE_BYTES + ", sizeof("
                + (definition.isUnion() ? name : "const " + name + " *") + "), "
                + (definition.isUnion() ? records.size() : 0) + ", NULL,\n"
                + records.stream()
                        .map(record -> "&" + layoutOf(record))
                        .collect(Collectors.joining(", ", "    (const slr_layout *const[]) {", "}};")));
    }

    private void layout(Definition definition) {
        List<Field> fields = present(definition);
        String layout = layoutOf(definition.name());
        String table = fields.isEmpty() ? "NULL" : layout + "_fields";
        line("");
        fields.stream().filter(field -> field.defaultText() != null).forEach(field -> preset(definition, field));
        if (!fields.isEmpty()) {
            line("static const slr_field " + table + "[] = {");
            fields.forEach(field -> field(definition, field));
            line("};");
        }
        line("static const slr_layout " + layout + " = {\"" + definition.name() + "\", " + definition.id() + ", "
                + definition.version() + ", (const slr_version[]) {"
                + IntStream.rangeClosed(1, definition.version())
                        .mapToObj(version ->
                                "{" + definition.blockBytes(version) + ", " + definition.fingerprint(version) + "}")
                        .collect(Collectors.joining(", "))
                + "},\n    sizeof(" + CTypes.name(definition.name()) + "), " + table + ", " + fields.size() + "};");
    }

    private void preset(Definition definition, Field field) {
        line("static const " + types.element(field.type()) + " " + presetOf(definition, field) + " = "
                + CTypes.literal(field.type(), String.valueOf(field.defaultText())) + ";");
    }

    private void field(Definition definition, Field field) {
        String struct = CTypes.name(definition.name());
        line("    {\"" + field.name() + "\", " + types.codec(field.type()) + ", " + field.offset() + ", "
                + (field.hasPresenceBit() ? field.presenceBit() : -1) + ", " + field.since() + ", offsetof(" + struct
                + ", " + CTypes.name(field.name()) + "), "
                + (field.isOptional() ? "offsetof(" + struct + ", " + has(field) + ")" : "SLR_ALWAYS") + ", "
                + (field.defaultText() == null ? "NULL" : "&" + presetOf(definition, field)) + "},");
    }

    private void functions(Definition definition) {
        String name = CTypes.name(definition.name());
        line("");
        line("static inline int " + taken(name + "_read") + "(");
        line("        " + name + " *to, const void *message, size_t length, slr_memory *memory, slr_error *error) {");
        line("    return slr_read(&" + typeOf(definition) + ", to, message, length, memory, error);");
        line("}");
        line("");
        line("static inline int " + taken(name + "_write") + "(");
        line("        const " + name + " *from, void *message, size_t room, size_t *length, slr_error *error) {");
        line("    return slr_write(&" + typeOf(definition) + ", from, message, room, length, error);");
        line("}");
    }

    private void reply(Operation<?, ?> operation) {
        line("\ntypedef " + CTypes.name(operation.replySchema().name()) + " "
                + taken(CTypes.name(operation.name(), "reply")) + ";");
    }

    private static String has(Field field) {
        return CTypes.name("has", field.name());
    }

    private static String layoutOf(String record) {
        return "slr_" + CTypes.name(record) + "_layout";
    }

    private static String typeOf(Definition definition) {
        return "slr_" + CTypes.name(definition.name()) + "_type";
    }

    private static String presetOf(Definition definition, Field field) {
        return "slr_" + CTypes.name(definition.name(), field.name()) + "_preset";
    }

    private String taken(String name) {
        return free(name, names);
    }

    /** C has one space for the names of types, constants and functions, and one in each struct. */
    private static String free(String name, Set<String> names) {
        if (!names.add(name)) {
            throw new IllegalArgumentException(
                    "two things would have the name " + name + " in C; give one of them another with @Name");
        }
        return name;
    }
}
