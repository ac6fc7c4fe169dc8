package io.slipstream.architecture.interrupts;

import io.slipstream.architecture.Small;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Watchdog;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.protocol.SchemaFile;
import io.slipstream.service.security.AccessFile;
import io.slipstream.service.security.Tls;
import io.slipstream.service.snapshot.ChunkedInput;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.snapshot.Snapshotter;
import io.slipstream.service.testing.Bisection;
import io.slipstream.service.testing.ReplayCheck;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.Context;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Handler;
import io.slipstream.service.typed.Operation;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedMachine;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a call of {@code service} needs. */
final class ServiceProbes {
    /** The input of a state that has nothing. */
    private static final class NoChunk implements ChunkedInput.Source {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public MemorySegment memory() {
            return MemorySegment.NULL;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public int length() {
            return 0;
        }
    }

    private ServiceProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(
                ServiceConfig.class,
                values -> Small.service(values.newPath())
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(Small.journal().withSegmentBytes(1 << 18))
                        .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        probes.made(StateMachine.class, values -> new Bank());
        probes.made(TypedMachine.class, values -> new Bank());
        probes.made(Contract.class, values -> Bank.CONTRACT);
        probes.made(Service.class, values -> Service.start(values.of(ServiceConfig.class), new Bank()));
        probes.made(ServiceClient.Builder.class, values -> ServiceClient.builder("127.0.0.1", port(probes, values)));
        probes.made(
                ServiceClient.class,
                values -> values.of(ServiceClient.Builder.class).connect());
        probes.made(TypedClient.class, values -> TypedClient.connect(Bank.CONTRACT, "127.0.0.1", port(probes, values)));
        probes.made(Event.class, values -> new Bank.Paid(1));
        probes.made(Operation.class, values -> Bank.CONTRACT.operation(Bank.Deposit.class));
        probes.made(Output.class, values -> new Output() {
            @Override
            public void reply(MemorySegment memory, long offset, int length) {}

            @Override
            public void event(long session, MemorySegment memory, long offset, int length) {}
        });
        probes.made(Inflow.class, values -> Inflow.of(1, new Sequence()).getFirst());
        probes.made(ChunkedInput.Source.class, values -> new NoChunk());
        probes.given(AccessFile.class, Path.class, values -> Files.writeString(values.newPath(), "# nobody\n"));
        probes.given(SchemaFile.class, Path.class, values -> Files.createDirectory(values.newPath()));
        probes.given(Bisection.class, "find", Path.class, ServiceProbes::aServicesFolder);
        probes.given(ReplayCheck.class, "run", Path.class, ServiceProbes::aServicesFolder);
        probes.given(ReplayCheck.class, "run", ServiceConfig.class, ServiceProbes::ofAService);
        probes.given(TestService.class, "assertReplays", Path.class, ServiceProbes::aServicesFolder);
        for (Class<?> type : List.of(ServiceClient.class, TypedClient.class)) {
            probes.given(type, "connect", String.class, values -> "127.0.0.1");
            probes.given(type, "connect", int.class, values -> port(probes, values));
        }
        probes.costly(Service.class);
        probes.spared(Snapshotter.class, "is of the service alone");
        probes.spared(Recovery.class, "is of the service alone");
        probes.spared(Watchdog.class, "is of the service alone");
        probes.spared(Context.class, "is given to handlers, and only notes what they want");
        probes.spared(Handler.class, "handle", "is of users, and is given a context");
        probes.spared(ChunkedInput.class, "finish", "needs the whole state of a service");
        probes.spared(Tls.class, "over", "needs a peer that speaks TLS");
        probes.works(Service.class, service -> {
            try (TypedClient client = TypedClient.connect(Bank.CONTRACT, "127.0.0.1", service.port())) {
                client.call(new Bank.Deposit(1, 1));
            }
        });
        probes.works(ServiceClient.class, client -> Await.done(client.queryAsync(aQuery())));
        probes.works(TypedClient.class, client -> client.call(new Bank.Deposit(1, 1)));
    }

    /** That of the service that all clients share. */
    static int port(InterruptProbes probes, Values values) throws Exception {
        return probes.shared(Service.class, values).port();
    }

    static byte[] aQuery() {
        return Bank.CONTRACT.operation(Bank.BalanceOf.class).fromJson("{\"account\":1}");
    }

    static Path aServicesFolder(Values values) throws Exception {
        return ofAService(values).directory();
    }

    /** Of a service that has ended. */
    private static ServiceConfig ofAService(Values values) throws Exception {
        ServiceConfig config = values.of(ServiceConfig.class);
        Service.start(config, new Bank()).close();
        return config;
    }
}
