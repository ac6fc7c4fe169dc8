package io.slipstream.cli.schema;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Definitions that are written as source text of another language, line by line. */
abstract class RecordsText {
    final Definitions definitions;
    private final StringBuilder text = new StringBuilder();

    RecordsText(Definitions definitions) {
        this.definitions = definitions;
    }

    /**
     * Returns the definitions of all records of a service.
     *
     * @throws IllegalArgumentException if two types of the service have the same name
     */
    static Definitions definitionsOf(Contract contract) {
        Map<String, Definition> all = new LinkedHashMap<>();
        for (Operation<?, ?> operation : contract.operations()) {
            add(operation.schema().definitions(), all);
            add(operation.replySchema().definitions(), all);
        }
        for (Codec<? extends Event> event : contract.events()) {
            add(event.schema().definitions(), all);
        }
        return new Definitions(List.copyOf(all.values()));
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

    /** Returns an identifier for a name; one that the language has taken gets an underscore. */
    static String identifier(String name, Set<String> taken) {
        String plain = name.replaceAll("[^\\p{L}\\p{N}_]", "_");
        return taken.contains(plain) ? plain + "_" : plain;
    }

    /** Returns the names of the events of a service, in the order in which it has them. */
    static List<String> events(Contract contract) {
        return contract.events().stream().map(event -> event.schema().name()).toList();
    }

    final List<Definition> records() {
        return definitions.all().stream().filter(each -> !each.isUnion()).toList();
    }

    final List<Definition> unions() {
        return definitions.all().stream().filter(Definition::isUnion).toList();
    }

    static List<Field> present(Definition definition) {
        return definition.fields().stream().filter(field -> !field.isRemoved()).toList();
    }

    final void line(String line) {
        text.append(line).append('\n');
    }

    /** Appends lines, the last of which has its end. */
    final void lines(String lines) {
        text.append(lines);
    }

    @Override
    public final String toString() {
        return text.toString();
    }
}
