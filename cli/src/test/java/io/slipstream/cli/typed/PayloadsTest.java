package io.slipstream.cli.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PayloadsTest {
    private static final int MANY = 10_000;

    record Note(String text, long number) implements Command<Note> {}

    private static final Contract CONTRACT =
            Contract.named("notes", MethodHandles.lookup()).commands(Note.class).build();

    /** A load may have a thousand connections, each with payloads of its own. */
    @Test
    void holdsAMebibyteAndOneTurnAtMostOfLargeCommandsThatWereMadeBefore() {
        Payloads large = payloads("Note {\"text\":\"" + "x".repeat(15_000) + "\",\"number\":{{1..1000000}}}");
        assertThat(bytes(large)).isBetween(1L << 20, 2L << 20);
    }

    @Test
    void takesTheKindsOfCommandsByTurns() {
        Payloads both =
                payloads("Note {\"text\":\"a\",\"number\":{{1..9}}}", "Note {\"text\":\"aaaa\",\"number\":{{1..9}}}");
        for (int i = 0; i < MANY; i++) {
            long first = both.next().byteSize();
            both.taken();
            assertThat(both.next().byteSize()).isGreaterThan(first);
            both.taken();
        }
    }

    private static Payloads payloads(String... commands) {
        return new Payloads(
                List.of(commands).stream()
                        .map(command -> CommandTemplate.of(CONTRACT, command))
                        .toList(),
                0,
                1,
                1,
                1);
    }

    /** Returns the bytes of all that is sent again and again. */
    private static long bytes(Payloads payloads) {
        Set<MemorySegment> different = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < MANY; i++) {
            different.add(payloads.next());
            payloads.taken();
        }
        return different.stream().mapToLong(MemorySegment::byteSize).sum();
    }
}
