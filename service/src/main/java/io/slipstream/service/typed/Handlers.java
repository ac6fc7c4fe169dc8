package io.slipstream.service.typed;

import io.slipstream.data.codec.Codec;
import io.slipstream.service.machine.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The handlers of a machine's commands, or of its queries, by the type ids that payloads begin with. */
final class Handlers {
    private final Contract contract;
    private final Operation.Kind kind;
    private @Nullable Bound<?, ?>[] table = new Bound<?, ?>[16];
    private int count;

    /** A handler with the codecs of what it takes and returns. */
    record Bound<C, R>(int id, Codec<C> codec, Codec<R> replyCodec, Handler<C, R> handler) {}

    Handlers(Contract contract, Operation.Kind kind) {
        this.contract = contract;
        this.kind = kind;
    }

    @SuppressWarnings("unchecked")
    <C, R> void add(Class<C> type, Handler<? super C, ? extends R> handler) {
        Operation<C, R> operation = contract.operation(type);
        Bound<C, R> bound =
                new Bound<>(operation.id(), operation.codec(), operation.replyCodec(), (Handler<C, R>) handler);
        if (operation.kind() != kind) {
            throw new IllegalArgumentException(
                    type.getName() + " is no " + kind.name().toLowerCase(Locale.ROOT) + " of " + contract.name());
        }
        if (find(bound.id) != null) {
            throw new IllegalArgumentException(type.getName() + " has a handler");
        }
        if (2 * ++count > table.length) {
            grow();
        }
        put(bound);
    }

    /** Returns who handles a payload, or null. */
    @Nullable
    Bound<?, ?> find(Request command) {
        return command.length() < Contract.HEADER_BYTES
                ? null
                : find(Contract.typeId(command.memory(), command.offset()));
    }

    /** Returns why nobody does. */
    String whyNot(Request command) {
        if (command.length() < Contract.HEADER_BYTES) {
            return "a payload has a header of " + Contract.HEADER_BYTES + " bytes, and these are " + command.length();
        }
        Operation<?, ?> other = contract.operation(command.memory(), command.offset(), command.length());
        if (other != null) {
            return other.name() + " is a "
                    + (other.kind() == Operation.Kind.QUERY ? "query; send it as one" : "command; send it as one");
        }
        return contract.name() + " knows no type with the number " + Contract.typeId(command.memory(), command.offset())
                + "; it knows " + contract.names();
    }

    static String undecodable(Codec<?> codec, RuntimeException why) {
        String message = why.getMessage() == null ? why.getClass().getName() : why.getMessage();
        return message.startsWith(codec.schema().name())
                ? message
                : codec.schema().name() + ": " + message;
    }

    void requireAll(String method) {
        List<String> missing = new ArrayList<>();
        for (Operation<?, ?> operation : contract.operations()) {
            if (operation.kind() == kind && find(operation.id()) == null) {
                missing.add(operation.type().getSimpleName());
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(contract.name() + " has no handler for " + String.join(", ", missing)
                    + "; add " + method + "(" + missing.getFirst() + ".class, ...) to the constructor");
        }
    }

    private @Nullable Bound<?, ?> find(int id) {
        int mask = table.length - 1;
        for (int at = id & mask; ; at = at + 1 & mask) {
            Bound<?, ?> bound = table[at];
            if (bound == null || bound.id == id) {
                return bound;
            }
        }
    }

    private void put(Bound<?, ?> bound) {
        int mask = table.length - 1;
        int at = bound.id & mask;
        while (table[at] != null) {
            at = at + 1 & mask;
        }
        table[at] = bound;
    }

    private void grow() {
        @Nullable Bound<?, ?>[] old = table;
        table = new Bound<?, ?>[2 * old.length];
        for (Bound<?, ?> bound : old) {
            if (bound != null) {
                put(bound);
            }
        }
    }
}
