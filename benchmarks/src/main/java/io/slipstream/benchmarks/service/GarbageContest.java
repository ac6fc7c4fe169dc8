package io.slipstream.benchmarks.service;

import com.sun.management.ThreadMXBean;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** Bytes that the service's threads allocate for a command, raw or as a record. */
final class GarbageContest implements Contest {
    private static final Contract CONTRACT =
            Contract.named("adding", MethodHandles.lookup()).commands(Add.class).build();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Scratch scratch = new Scratch();
    private final int commands;
    private final double allowed;
    private final Service service;
    private final BareClients clients;

    /** Adds an amount. */
    record Add(long amount, long to) implements Command<Sum> {}

    /** What it has come to. */
    record Sum(long sum) {}

    GarbageContest(boolean typed, int commands) throws IOException {
        this.commands = commands;
        StateMachine machine = typed ? new Adding() : new Counting();
        service = Service.start(NativeContest.config(scratch, Durability.PROCESS), machine);
        byte[] payload = typed ? CONTRACT.operation("Add").fromJson("{\"amount\":7,\"to\":8}") : new byte[64];
        clients = new BareClients(service.port(), 4, 64, payload);
        allowed = typed ? recordBytes() : 1;
    }

    @Override
    public double ours() throws IOException {
        long before = allocated();
        clients.run(commands);
        return (double) (allocated() - before) / commands;
    }

    /** What its records take, command and reply; one byte for raw ones. */
    @Override
    public double peer() {
        return allowed;
    }

    private static double recordBytes() {
        Object[] kept = new Object[20_000];
        long thread = Thread.currentThread().threadId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        for (int i = 0; i < kept.length; i += 2) {
            kept[i] = new Add(i, i);
            kept[i + 1] = new Sum(i);
        }
        long bytes = THREADS.getThreadAllocatedBytes(thread) - before;
        return 2.0 * bytes / kept.length;
    }

    private static long allocated() {
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo info = THREADS.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("slipstream-")) {
                sum += THREADS.getThreadAllocatedBytes(id);
            }
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                clients) {
            service.close();
        }
    }

    private static final class Adding extends TypedMachine {
        private long sum;

        Adding() {
            super(CONTRACT);
            on(Add.class, (add, context) -> new Sum(sum += add.amount));
        }

        @Override
        public long stateHash() {
            return sum;
        }
    }
}
