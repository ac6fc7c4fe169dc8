package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Type;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Operation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes definitions as a Python module: an enum or a dataclass for each, and behind them where the fields lie.
 *
 * <p>Names of other modules have an underscore in front, so that no record hides them.
 */
final class PythonModule extends RecordsText {
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

    private final PythonTypes types;

    private PythonModule(Definitions definitions) {
        super(definitions);
        this.types = new PythonTypes(definitions);
    }

    /** Returns the module with the records of a schema. */
    static String of(Definitions definitions) {
        PythonModule module = new PythonModule(definitions);
        module.write("Records");
        return module.toString();
    }

    /**
     * Returns the module with all records of a service; a command or a query knows its reply.
     *
     * @throws IllegalArgumentException if two types of the service have the same name
     */
    static String of(Contract contract) {
        PythonModule module = new PythonModule(definitionsOf(contract));
        module.write("Records of the service " + contract.name());
        module.line("");
        for (Operation<?, ?> operation : contract.operations()) {
            module.line(PythonTypes.name(operation.name()) + ".REPLY = "
                    + PythonTypes.name(operation.replySchema().name()));
        }
        module.line("EVENTS = ("
                + events(contract).stream()
                        .map(event -> PythonTypes.name(event) + ", ")
                        .collect(Collectors.joining())
                        .strip()
                + ")");
        module.schema();
        return module.toString();
    }

    /** What a client says to the service, line by line. */
    private void schema() {
        line("SCHEMA = (");
        definitions
                .toString()
                .lines()
                .forEach(each -> line("    \"" + each.replace("\\", "\\\\").replace("\"", "\\\"") + "\\n\""));
        line(")");
    }

    private void write(String title) {
        line("\"\"\"" + title + ". Written by 'slipstream schema python'; not to be edited.\"\"\"\n");
        lines(HEAD);
        definitions.enums().values().forEach(this::enumeration);
        records().forEach(this::dataclass);
        unions().forEach(this::union);
        records().forEach(this::layout);
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
}
