package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The commands BITFIELD and BITFIELD_RO: numbers of 1 to 64 bits within a string, the highest bit first. */
final class BitFields {
    private static final RedisError NO_FIELD = new RedisError(
            "ERR Invalid bitfield type. Use something like i16 u8. " + "Note that u64 is not supported but i64 is.");
    private static final RedisError NO_OFFSET = new RedisError("ERR bit offset is not an integer or out of range");
    private static final int MAX_NUMBER = Long.SIZE;

    private final Database database;

    private enum Action {
        GET,
        SET,
        INCRBY
    }

    /** What a number becomes that does not fit. */
    private enum Overflow {
        WRAP,
        SAT,
        FAIL
    }

    /** A number in a string: {@code width} bits from bit {@code at} on. */
    private record Field(boolean isSigned, int width, long at) {
        long end() {
            return at + width;
        }

        long get(byte[] bytes) {
            long value = 0;
            for (long bit = at; bit < end(); bit++) {
                int b = bit / Byte.SIZE < bytes.length ? bytes[(int) (bit / Byte.SIZE)] : 0;
                value = value << 1 | b >> Byte.SIZE - 1 - bit % Byte.SIZE & 1;
            }
            return wrapped(value);
        }

        void set(byte[] bytes, long value) {
            for (long bit = at; bit < end(); bit++) {
                int mask = 1 << Byte.SIZE - 1 - bit % Byte.SIZE;
                boolean isSet = (value >> end() - 1 - bit & 1) != 0;
                int b = bytes[(int) (bit / Byte.SIZE)];
                bytes[(int) (bit / Byte.SIZE)] = (byte) (isSet ? b | mask : b & ~mask);
            }
        }

        private long wrapped(long value) {
            int unused = Long.SIZE - width;
            return isSigned ? value << unused >> unused : value << unused >>> unused;
        }

        /** Returns a sum as it fits into the field; nothing if it does not and must not be made to. */
        OptionalLong sum(long value, long more, Overflow overflow) {
            long max = isSigned ? Long.MAX_VALUE >> Long.SIZE - width : -1L >>> Long.SIZE - width;
            long min = isSigned ? -max - 1 : 0;
            boolean isAbove = isSigned ? isAbove(value, more, max) : isAboveUnsigned(value, more, max);
            boolean isBelow = isSigned ? isBelow(value, more, min) : more < 0 && more < -value;
            if (!isAbove && !isBelow) {
                return OptionalLong.of(value + more);
            }
            return switch (overflow) {
                case WRAP -> OptionalLong.of(wrapped(value + more));
                case SAT -> OptionalLong.of(isAbove ? max : min);
                case FAIL -> OptionalLong.empty();
            };
        }

        // The differences wrap around as those of Redis do.
        private boolean isAbove(long value, long more, long max) {
            long most = max - value;
            return value > max || width < MAX_NUMBER && more > most || value >= 0 && more > 0 && more > most;
        }

        private boolean isBelow(long value, long more, long min) {
            long least = min - value;
            return value < min || width < MAX_NUMBER && more < least || value < 0 && more < 0 && more < least;
        }

        private static boolean isAboveUnsigned(long value, long more, long max) {
            return Long.compareUnsigned(value, max) > 0 || more > 0 && more > max - value;
        }
    }

    private record Operation(Action action, Field field, long operand, Overflow overflow) {}

    BitFields(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.BITFIELD, this::run);
        handlers.put(RedisCommand.BITFIELD_RO, this::read);
    }

    private void run(Words words, Reply reply) {
        run(words, reply, operations(words));
    }

    private void read(Words words, Reply reply) {
        List<Operation> operations = operations(words);
        if (operations.stream().anyMatch(each -> each.action != Action.GET)) {
            throw new RedisError("ERR BITFIELD_RO only supports the GET subcommand");
        }
        run(words, reply, operations);
    }

    private List<Operation> operations(Words words) {
        List<Operation> operations = new ArrayList<>();
        Overflow overflow = Overflow.WRAP;
        for (int i = 1; i < words.count(); ) {
            int behind = words.count() - 1 - i;
            if (words.is(i, "OVERFLOW") && behind >= 1) {
                overflow = overflow(words, i + 1);
                i += 2;
                continue;
            }
            Action action;
            if (words.is(i, "GET") && behind >= 2) {
                action = Action.GET;
            } else if (words.is(i, "SET") && behind >= 3) {
                action = Action.SET;
            } else if (words.is(i, "INCRBY") && behind >= 3) {
                action = Action.INCRBY;
            } else {
                throw RedisError.SYNTAX;
            }
            Field field = field(words, i + 1);
            long operand = action == Action.GET ? 0 : words.number(i + 3);
            operations.add(new Operation(action, field, operand, overflow));
            i += action == Action.GET ? 3 : 4;
        }
        return operations;
    }

    private static Overflow overflow(Words words, int i) {
        for (Overflow each : Overflow.values()) {
            if (words.is(i, each.name())) {
                return each;
            }
        }
        throw new RedisError("ERR Invalid OVERFLOW type specified");
    }

    /** Reads a type, as i16, and an offset, in bits or, as #2, in fields. */
    private Field field(Words words, int i) {
        String type = words.text(i);
        boolean isSigned = type.startsWith("i");
        if (!isSigned && !type.startsWith("u")) {
            throw NO_FIELD;
        }
        long width = number(words, i, 1, NO_FIELD);
        if (width < 1 || width > (isSigned ? MAX_NUMBER : MAX_NUMBER - 1)) {
            throw NO_FIELD;
        }
        boolean counts = words.text(i + 1).startsWith("#");
        long at = number(words, i + 1, counts ? 1 : 0, NO_OFFSET);
        long most = (long) Byte.SIZE * database.maxValue();
        if (at < 0 || at >= most || counts && at * width >= most) {
            throw NO_OFFSET;
        }
        return new Field(isSigned, (int) width, counts ? at * width : at);
    }

    private static long number(Words words, int i, int from, RedisError otherwise) {
        return Numbers.parse(words.memory(), words.offset(i) + from, words.length(i) - from, otherwise);
    }

    private void run(Words words, Reply reply, List<Operation> operations) {
        long record = database.string(words, 0);
        byte[] before = record == 0 ? new byte[0] : database.bytes(record);
        long bits = operations.stream()
                .filter(each -> each.action != Action.GET)
                .mapToLong(each -> each.field.end())
                .max()
                .orElse(0);
        byte[] bytes = Arrays.copyOf(before, Math.max(before.length, (int) ((bits + Byte.SIZE - 1) / Byte.SIZE)));
        reply.array(operations.size());
        for (Operation each : operations) {
            answer(each, bytes, reply);
        }
        if (bits > 0 && !Arrays.equals(before, bytes)) {
            database.setString(words, 0, bytes, true);
        }
    }

    private static void answer(Operation operation, byte[] bytes, Reply reply) {
        Field field = operation.field;
        long present = field.get(bytes);
        if (operation.action == Action.GET) {
            reply.integer(present);
            return;
        }
        boolean sets = operation.action == Action.SET;
        OptionalLong next = sets
                ? field.sum(operation.operand, 0, operation.overflow)
                : field.sum(present, operation.operand, operation.overflow);
        if (next.isEmpty()) {
            reply.nothing();
            return;
        }
        field.set(bytes, next.getAsLong());
        reply.integer(sets ? present : next.getAsLong());
    }
}
