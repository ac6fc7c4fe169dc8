package io.slipstream.cli.schema;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes definitions as a Python module: an enum or a dataclass for each, and behind them where the fields lie.
 *
 * <p>Names of other modules have an underscore in front, so that no record hides them.
 */
final class PythonModule {
    private static final String HEAD = """
        from __future__ import annotations

        import dataclasses as _dataclasses
        import datetime as _datetime
        import decimal as _decimal
        import enum as _enum
        import uuid as _uuid
        from typing import Union as _Union

        from slipstream_client import records as _records
        """;

    private final Definitions definitions;
    private final PythonTypes types;
    private final StringBuilder text = new StringBuilder();

    private PythonModule(Definitions definitions) {
        this.definitions = definitions;
        this.types = new PythonTypes(definitions);
    }

    /** Returns the module with the records of a schema. */
    static String of(Definitions definitions) {
        return new PythonModule(definitions).write("Records");
    }

    /**
     * Returns the module with all records of a service; a command or a query knows its reply.
     *
     * @throws IllegalArgumentException if two types of the service have the same name
     */
    static String of(Contract contract) {
        Map<String, Definition> all = new LinkedHashMap<>();
        for (Operation<?, ?> operation : contract.operations()) {
            add(operation.schema().definitions(), all);
            add(operation.replySchema().definitions(), all);
        }
        for (Codec<? extends Event> event : contract.events()) {
            add(event.schema().definitions(), all);
        }
        PythonModule module = new PythonModule(new Definitions(List.copyOf(all.values())));
        module.write("Records of the service " + contract.name());
        module.text.append('\n');
        for (Operation<?, ?> operation : contract.operations()) {
            module.line(PythonTypes.name(operation.name()) + ".REPLY = "
                    + PythonTypes.name(operation.replySchema().name()));
        }
        module.line("EVENTS = ("
                + contract.events().stream()
                        .map(event -> PythonTypes.name(event.schema().name()) + ", ")
                        .collect(Collectors.joining())
                        .strip()
                + ")");
        return module.text.toString();
    }

    private static void add(Definitions some, Map<String, Definition> all) {
        for (Definition each : some.all()) {
            Definition other = all.putIfAbsent(each.name(), each);
            if (other != null && !other.equals(each)) {
                throw new IllegalArgumentException(
                        "two types have the name " + each.name() + "; give one of them another with @Name");
            }
        }
    }

    private String write(String title) {
        line("\"\"\"" + title + ". Written by 'slipstream schema python'; not to be edited.\"\"\"");
        text.append('\n').append(HEAD);
        definitions.enums().values().forEach(this::enumeration);
        definitions.all().stream().filter(each -> !each.isUnion()).forEach(this::dataclass);
        definitions.all().stream().filter(Definition::isUnion).forEach(this::union);
        definitions.all().stream().filter(each -> !each.isUnion()).forEach(this::layout);
        return text.toString();
    }

    private void enumeration(Type.Enumeration type) {
        line("\n\nclass " + PythonTypes.name(type.name()) + "(_enum.Enum):");
        for (int i = 0; i < type.constants().size(); i++) {
            line("    " + PythonTypes.name(type.constants().get(i)) + " = " + i);
        }
    }

    private void dataclass(Definition definition) {
        line("\n\n@_dataclasses.dataclass(frozen=True)");
        line("class " + PythonTypes.name(definition.name()) + "(_records.Record):");
        List<Field> fields = present(definition);
        if (fields.isEmpty()) {
            line("    pass");
        }
        int required = fields.size();
        while (required > 0 && fields.get(required - 1).isOptional()) {
            required--;
        }
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            line("    " + PythonTypes.name(field.name()) + ": " + types.annotation(field.type())
                    + (field.isOptional() ? " | None" : "") + (i < required ? "" : " = None"));
        }
    }

    private void union(Definition definition) {
        line("\n\n" + PythonTypes.name(definition.name()) + " = _Union["
                + definition.variants().stream().map(PythonTypes::name).collect(Collectors.joining(", ")) + "]");
    }

    private void layout(Definition definition) {
        String name = PythonTypes.name(definition.name());
        String versions = IntStream.rangeClosed(1, definition.version())
                .mapToObj(
                        version -> "(" + definition.blockBytes(version) + ", " + definition.fingerprint(version) + ")")
                .collect(Collectors.joining(", ", "(", ",)"));
        line("\n" + name + ".LAYOUT = _records.Layout(" + name + ", " + definition.id() + ", " + versions + ", (");
        for (Field field : present(definition)) {
            line("    _records.Field(\"" + PythonTypes.name(field.name()) + "\", " + types.codec(field.type()) + ", "
                    + field.offset()
                    + (field.hasPresenceBit() ? ", bit=" + field.presenceBit() : "")
                    + (field.isOptional() ? ", optional=True" : "")
                    + (field.since() > 1 ? ", since=" + field.since() : "")
                    + (field.defaultText() == null
                            ? ""
                            : ", default=" + types.literal(field.type(), field.defaultText()))
                    + "),");
        }
        line("))");
    }

    private static List<Field> present(Definition definition) {
        return definition.fields().stream().filter(field -> !field.isRemoved()).toList();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
