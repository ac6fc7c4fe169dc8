package io.slipstream.service.typed;

import io.slipstream.data.DecodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.service.pressure.Shedding;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that a service understands and sends: its commands, queries and events, each with its schema. Machine, client and
 * gateways share it. Immutable; any thread.
 *
 * <pre>{@code
 *   static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
 *           .commands(Deposit.class, Withdraw.class)
 *           .queries(BalanceOf.class)
 *           .events(Overdrawn.class)
 *           .build();
 * }</pre>
 */
public final class Contract {
    /** Bytes that every payload begins with; see {@code docs/data-format.md}. */
    static final int HEADER_BYTES = Long.BYTES;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final String name;
    private final Map<Class<?>, Operation<?, ?>> operations;
    private final Map<Class<?>, Codec<? extends Event>> events;
    private final int[] sheddable;

    private Contract(Builder builder) {
        this.name = builder.name;
        this.operations = new LinkedHashMap<>(builder.operations);
        this.events = new LinkedHashMap<>(builder.events);
        this.sheddable = builder.sheddable.stream()
                .mapToInt(type -> operation(type).id())
                .toArray();
    }

    /**
     * Begins the contract of the service of that name.
     *
     * @param name   under which the log is kept; it must not change as long as there is a log
     * @param lookup of the caller, {@code MethodHandles.lookup()}: its records need to be neither public nor exported
     */
    public static Builder named(String name, MethodHandles.Lookup lookup) {
        return new Builder(name, lookup);
    }

    /** Returns the name of the service. */
    public String name() {
        return name;
    }

    /** Returns the commands and queries, in the order in which they were given. */
    public Collection<Operation<?, ?>> operations() {
        return List.copyOf(operations.values());
    }

    /** Returns the codecs of the events, in the order in which they were given. */
    public Collection<Codec<? extends Event>> events() {
        return List.copyOf(events.values());
    }

    /**
     * Returns the command or query of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Operation<?, ?> operation(String operation) {
        for (Operation<?, ?> each : operations.values()) {
            if (each.name().equals(operation)) {
                return each;
            }
        }
        throw new IllegalArgumentException(name + " has no command or query '" + operation + "', but " + names());
    }

    /** Returns the command or query whose payload that is, or null if it is that of another type or of none. */
    public @Nullable Operation<?, ?> operation(MemorySegment memory, long offset, int length) {
        if (length >= HEADER_BYTES) {
            int id = typeId(memory, offset);
            for (Operation<?, ?> each : operations.values()) {
                if (each.id() == id) {
                    return each;
                }
            }
        }
        return null;
    }

    /** Returns the definitions of all commands: what a reader in any language needs to read those of a log. */
    public Definitions commandDefinitions() {
        Map<String, Definition> all = new LinkedHashMap<>();
        for (Operation<?, ?> each : operations.values()) {
            if (each.kind() == Operation.Kind.COMMAND) {
                add(each.schema().definitions(), all);
            }
        }
        return new Definitions(List.copyOf(all.values()));
    }

    /**
     * Returns the definitions of all records: commands, queries, replies and events. A client says them to a service
     * that is to refuse it if one of them would misread the other.
     */
    public Definitions definitions() {
        Map<String, Definition> all = new LinkedHashMap<>();
        for (Operation<?, ?> each : operations.values()) {
            add(each.schema().definitions(), all);
            add(each.replySchema().definitions(), all);
        }
        events.values().forEach(event -> add(event.schema().definitions(), all));
        return new Definitions(List.copyOf(all.values()));
    }

    private static void add(Definitions from, Map<String, Definition> to) {
        for (Definition definition : from.all()) {
            to.putIfAbsent(definition.name(), definition);
        }
    }

    /** Returns the payload of an event as JSON, with its name as {@code "@type"}. */
    public String eventToJson(MemorySegment memory, long offset, int length) {
        return json(eventCodec(memory, offset, length), memory, offset, length);
    }

    /**
     * Returns what sheds queries, and the commands that {@link Builder#sheddable} named, when a service gets full; for
     * {@link io.slipstream.service.ServiceConfig#withShedding}.
     */
    public Shedding shedding() {
        int[] ids = sheddable;
        return (type, memory, offset, length) ->
                type == MessageType.QUERY || length >= HEADER_BYTES && contains(ids, typeId(memory, offset));
    }

    private static boolean contains(int[] ids, int id) {
        for (int each : ids) {
            if (each == id) {
                return true;
            }
        }
        return false;
    }

    /** Returns all types as the text of their definitions, operations first. */
    public String describe() {
        StringBuilder text = new StringBuilder("service ").append(name).append("\n\n");
        operations.values().forEach(operation -> text.append(operation).append('\n'));
        events.values()
                .forEach(event ->
                        text.append("event ").append(event.schema().name()).append('\n'));
        operations
                .values()
                .forEach(operation -> text.append('\n')
                        .append(operation.schema().definitions())
                        .append('\n')
                        .append(operation.replySchema().definitions()));
        events.values().forEach(event -> text.append('\n').append(event.schema().definitions()));
        return text.toString();
    }

    @Override
    public String toString() {
        return "contract of " + name + ": " + names();
    }

    /**
     * Returns the command or query of that type.
     *
     * @throws IllegalArgumentException if there is none
     */
    @SuppressWarnings("unchecked")
    public <C, R> Operation<C, R> operation(Class<C> type) {
        Operation<?, ?> found = operations.get(type);
        if (found == null) {
            throw new IllegalArgumentException(
                    type.getName() + " is no command or query of " + name + "; add it to the contract: " + names());
        }
        return (Operation<C, R>) found;
    }

    /**
     * Returns the event whose payload that is.
     *
     * @throws DecodeException if it is that of none
     */
    public Event event(MemorySegment memory, long offset, int length) {
        return eventCodec(memory, offset, length).decode(memory, offset, length);
    }

    @SuppressWarnings("unchecked")
    Codec<Event> eventCodec(Class<?> type) {
        Codec<? extends Event> found = events.get(type);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " is no event of " + name
                    + "; add it to the contract with events(" + type.getSimpleName() + ".class)");
        }
        return (Codec<Event>) found;
    }

    /** Returns the codec of the event whose payload that is. */
    Codec<? extends Event> eventCodec(MemorySegment memory, long offset, int length) {
        if (length < HEADER_BYTES) {
            throw new DecodeException(name, 0, "an event has a header of " + HEADER_BYTES + " bytes, not " + length);
        }
        int id = typeId(memory, offset);
        for (Codec<? extends Event> codec : events.values()) {
            if (codec.schema().id() == id) {
                return codec;
            }
        }
        throw new DecodeException(name, 0, "the bytes are of type " + id + ", which is no event of this contract");
    }

    /** Returns the number of the type of a payload; 0 if it has none. */
    static int kind(MemorySegment memory, long offset, int length) {
        return length >= HEADER_BYTES ? typeId(memory, offset) : 0;
    }

    @Nullable
    String operationName(int id) {
        for (Operation<?, ?> each : operations.values()) {
            if (each.id() == id) {
                return each.name();
            }
        }
        return null;
    }

    static int typeId(MemorySegment memory, long offset) {
        return Short.toUnsignedInt(memory.get(SHORT, offset));
    }

    String names() {
        return operations.values().stream().map(Operation::name).collect(Collectors.joining(", "));
    }

    private static <E> String json(Codec<E> codec, MemorySegment memory, long offset, int length) {
        String fields = Json.of(codec).write(codec.decode(memory, offset, length));
        String begin = "{\"@type\":\"" + codec.schema().name() + '"';
        return fields.equals("{}") ? begin + '}' : begin + ',' + fields.substring(1);
    }

    /** Collects the types. For one thread. */
    public static final class Builder {
        private final String name;
        private final MethodHandles.Lookup lookup;
        private final Map<Class<?>, Operation<?, ?>> operations = new LinkedHashMap<>();
        private final Map<Class<?>, Codec<? extends Event>> events = new LinkedHashMap<>();
        private final Map<Class<?>, Codec<?>> codecs = new HashMap<>();
        private final List<Class<?>> sheddable = new ArrayList<>();

        private Builder(String name, MethodHandles.Lookup lookup) {
            this.name = name;
            this.lookup = lookup;
        }

        /**
         * Adds commands.
         *
         * @throws io.slipstream.data.schema.SchemaException if a type has no schema; the message names the field
         * @throws IllegalArgumentException                  if a type does not say its reply, or was added before
         */
        @SafeVarargs
        public final Builder commands(Class<? extends Command<?>>... types) {
            for (Class<? extends Command<?>> type : types) {
                add(Operation.Kind.COMMAND, type, ReplyType.of(type, Command.class));
            }
            return this;
        }

        /** Adds queries; see {@link #commands}. */
        @SafeVarargs
        public final Builder queries(Class<? extends Query<?>>... types) {
            for (Class<? extends Query<?>> type : types) {
                add(Operation.Kind.QUERY, type, ReplyType.of(type, Query.class));
            }
            return this;
        }

        /** Adds events; see {@link #commands}. */
        @SafeVarargs
        public final Builder events(Class<? extends Event>... types) {
            for (Class<? extends Event> type : types) {
                events.put(type, codec(type));
            }
            return this;
        }

        /** Says which of the commands a service that gets full may refuse before the others. */
        @SafeVarargs
        public final Builder sheddable(Class<? extends Command<?>>... types) {
            for (Class<? extends Command<?>> type : types) {
                sheddable.add(type);
            }
            return this;
        }

        /**
         * Returns the contract.
         *
         * @throws IllegalArgumentException if two types have the same number or name
         */
        public Contract build() {
            List<Codec<?>> named = new ArrayList<>();
            operations.values().forEach(operation -> named.add(operation.codec()));
            named.addAll(events.values());
            Map<Object, Codec<?>> taken = new HashMap<>();
            for (Codec<?> codec : named) {
                refuse(
                        taken.putIfAbsent(codec.schema().id(), codec),
                        codec,
                        "the number " + codec.schema().id(),
                        "@Id");
                refuse(
                        taken.putIfAbsent(codec.schema().name(), codec),
                        codec,
                        "the name " + codec.schema().name(),
                        "@Name");
            }
            return new Contract(this);
        }

        private static void refuse(@Nullable Codec<?> other, Codec<?> codec, String what, String annotation) {
            if (other != null) {
                throw new IllegalArgumentException(codec.schema().type().getName() + " and "
                        + other.schema().type().getName() + " both have " + what + "; give one of them another with "
                        + annotation);
            }
        }

        private void add(Operation.Kind kind, Class<?> type, Class<?> reply) {
            if (operations.put(type, new Operation<>(kind, codec(type), codec(reply))) != null) {
                throw new IllegalArgumentException(type.getName() + " was added twice");
            }
        }

        @SuppressWarnings("unchecked")
        private <T> Codec<T> codec(Class<T> type) {
            Codec<?> known = codecs.get(type);
            if (known == null) {
                known = Codec.of(type, lookup);
                codecs.put(type, known);
            }
            return (Codec<T>) known;
        }
    }
}
