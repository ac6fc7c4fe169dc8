package io.slipstream.service;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** A service on one thread that answers each command with as many bytes as it is told; its int is its port. */
public final class CountedService implements IntSupplier, AutoCloseable {
    static final Contract CONTRACT =
            Contract.named("talk", MethodHandles.lookup()).commands(Say.class).build();

    private final Service service;

    record Say(@MaxLength(4000) String text) implements Command<Said> {}

    record Said(@MaxLength(4000) String text) {}

    /** Starts the service. */
    public CountedService(Path folder, int replyBytes, boolean isTyped, boolean isMapped) throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withThreading(Threading.ONE)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS)
                                .withSegmentBytes(1 << 20)
                                .withWriteMode(isMapped ? WriteMode.MAPPED : WriteMode.BUFFERED)),
                isTyped ? new TypedTalk(replyBytes) : new Talk(replyBytes));
    }

    @Override
    public int getAsInt() {
        return service.port();
    }

    @Override
    public void close() {
        service.close();
    }

    private static final class Talk implements StateMachine {
        private final MemorySegment reply;

        Talk(int replyBytes) {
            reply = MemorySegment.ofArray(new byte[replyBytes]);
        }

        @Override
        public void onCommand(Request command, Output output) {
            output.reply(reply, 0, (int) reply.byteSize());
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reject("nobody asks");
        }

        @Override
        public long stateHash() {
            return 0;
        }

        @Override
        public void save(StateOutput output) {}

        @Override
        public void load(StateInput input, int version) {}
    }

    private static final class TypedTalk extends TypedMachine {
        private final Said reply;

        TypedTalk(int replyBytes) {
            super(CONTRACT);
            reply = new Said("a".repeat(replyBytes));
            on(Say.class, (_, _) -> reply);
        }

        @Override
        public long stateHash() {
            return 0;
        }

        @Override
        public void save(StateOutput output) {}

        @Override
        public void load(StateInput input, int version) {}
    }
}
