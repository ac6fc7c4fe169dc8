package io.slipstream.service.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.codec.Codec;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypedAllocationTest {
    private static final int COMMANDS = 200_000;

    /** A record of two longs: a header of 16 bytes at most, and the fields. */
    private static final long RECORD_BYTES = 32;

    private static final Contract CONTRACT = Contract.named("echo", MethodHandles.lookup())
            .commands(Ping.class)
            .events(Seen.class)
            .build();

    record Ping(long a, long b) implements io.slipstream.service.typed.Command<Pong> {}

    record Pong(long a, long b) {}

    record Seen(long a, long b) implements Event {}

    private static final class Echo extends TypedMachine {
        Echo() {
            super(CONTRACT);
            on(Ping.class, (ping, context) -> {
                context.send(context.session(), new Seen(ping.a(), ping.b()));
                return new Pong(ping.a(), ping.b());
            });
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }

    private static final class Sink implements Output {
        private long bytes;

        @Override
        public void reply(MemorySegment memory, long offset, int length) {
            bytes += length;
        }

        @Override
        public void event(long session, MemorySegment memory, long offset, int length) {
            bytes += length;
        }
    }

    private record Fixed(MemorySegment memory, int length) implements Request {
        @Override
        public long offset() {
            return 0;
        }

        @Override
        public long session() {
            return 1;
        }

        @Override
        public long correlation() {
            return 1;
        }

        @Override
        public long sequence() {
            return 1;
        }

        @Override
        public long timeNanos() {
            return 1;
        }
    }

    /** In a process of its own: what other tests of typed machines have compiled hides from the JIT what escapes. */
    @Test
    void makesNoMoreGarbageThanTheRecordsOfACommandItsReplyAndItsEvent() throws Exception {
        Process process = ChildJvm.of(Measurement.class, List.of("--add-modules", "jdk.management"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Await.exitCode(process)).as(said).isZero();
        assertThat(Long.parseLong(said.strip())).isLessThanOrEqualTo(Measurement.ENOUGH);
    }

    /** Prints how many bytes {@link #COMMANDS} commands allocate at least. */
    static final class Measurement {
        static final long ENOUGH = 3 * RECORD_BYTES * COMMANDS + COMMANDS / 10;

        private Measurement() {}

        static void main() throws Exception {
            Echo machine = new Echo();
            Sink sink = new Sink();
            byte[] payload = Codec.of(Ping.class, MethodHandles.lookup()).toBytes(new Ping(1, 2));
            Request command = new Fixed(MemorySegment.ofArray(payload), payload.length);
            System.out.println(Allocations.least(ENOUGH, () -> {
                sink.bytes = 0;
                for (int i = 0; i < COMMANDS; i++) {
                    machine.onCommand(command, sink);
                }
                if (sink.bytes != 2L * COMMANDS * payload.length) {
                    throw new AssertionError(sink.bytes + " bytes of output");
                }
            }));
        }
    }
}
