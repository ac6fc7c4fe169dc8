package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.architecture.Values.Maker;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.graph.HandlerSettings;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.memory.Region;
import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import io.slipstream.core.queue.WaitingQueue;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.DoubleColumn;
import io.slipstream.data.column.DoubleGroups;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.LongGroups;
import io.slipstream.data.index.BytesLongIndex;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import io.slipstream.data.list.ListArrow;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiPage;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Upstream;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.Start;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.snapshot.ChunkedInput;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Operation;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedMachine;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Executable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What a call on an interrupted thread needs: makers of objects and arguments, and how to see that they work. */
final class InterruptProbes implements Values.Makers {
    /** The length of each frame in the memory that calls are given. */
    static final int FRAME_BYTES = 64;

    private static final String TEXT = "text";
    private static final String SECRET = "a secret";

    /** After them an object need not work. */
    private static final Set<String> ENDS =
            Set.of("close", "leave", "stop", "kill", "disconnect", "shutdown", "shutdownNow");

    /** Types, and calls, that cannot be tried here, each with its reason. */
    private static final Map<String, String> SPARED = Map.of(
            "Snapshotter", "is of the service alone",
            "Handler.handle", "is of users, and is given a context",
            "ChunkedInput.finish", "needs the whole state of a service",
            "Tls.load", "reads what other programs have made",
            "LogSystem.share", "sets up the log of the whole JVM",
            "Tls.over", "needs a peer that speaks TLS",
            "Recovery", "is of the service alone",
            "Watchdog", "is of the service alone",
            "Context", "is given to handlers, and only notes what they want");

    private final Map<Class<?>, Maker> makers = new HashMap<>();
    private final Map<String, Map<Class<?>, Maker>> arguments = new HashMap<>();
    private final Map<Class<?>, Check<Object>> checks = new LinkedHashMap<>();

    interface Check<T> {
        void run(T subject) throws Exception;
    }

    private interface MakerOf<T> {
        T make(Values values) throws Exception;
    }

    record Row(
            @Id(1) long id,
            @Id(2) String text,
            @Id(3) double rate,
            @Id(4) boolean paid) {}

    interface Getters {
        long account();
    }

    record Deposit(long account, long amount) implements Command<Balance> {}

    record BalanceOf(long account) implements Query<Balance> {}

    record Paid(long account) implements Event {}

    record Balance(long amount) {}

    static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
            .commands(Deposit.class)
            .queries(BalanceOf.class)
            .events(Paid.class)
            .build();

    private static final class Bank extends TypedMachine {
        private long balance;

        Bank() {
            super(CONTRACT);
            on(Deposit.class, (deposit, context) -> new Balance(balance += deposit.amount()));
            answer(BalanceOf.class, (query, context) -> new Balance(balance));
        }

        @Override
        public long stateHash() {
            return balance;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(balance);
        }

        @Override
        public void load(StateInput input, int version) {
            balance = input.readLong();
        }
    }

    /** Of one member after the other. */
    private static final class MemberPorts {
        static final int FIRST = Ports.block(MemberAddress.PORTS);
    }

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

    InterruptProbes() {
        jdk();
        core();
        data();
        journal();
        ipcAndLog();
        service();
        aboveService();
    }

    /** Whether it is not called, for a reason of its own. */
    boolean isSpared(Class<?> type, Executable call) {
        return SPARED.containsKey(PublicApi.name(type, call)) || SPARED.containsKey(type.getSimpleName());
    }

    /** Whether the object of a call need not work after it. */
    boolean ends(Executable call) {
        return ENDS.contains(call.getName());
    }

    @Override
    public @Nullable Maker of(Class<?> type) {
        return makers.get(type);
    }

    @Override
    public @Nullable Maker given(Class<?> type, Executable call, Class<?> given) {
        Maker ofCall =
                arguments.getOrDefault(PublicApi.name(type, call), Map.of()).get(given);
        return ofCall == null
                ? arguments.getOrDefault(type.getSimpleName(), Map.of()).get(given)
                : ofCall;
    }

    void requireWorking(Object subject) throws Exception {
        for (Map.Entry<Class<?>, Check<Object>> check : checks.entrySet()) {
            if (check.getKey().isInstance(subject)) {
                check.getValue().run(subject);
            }
        }
    }

    private <T> void made(Class<T> type, MakerOf<? extends T> maker) {
        makers.put(type, maker::make);
    }

    /** Adds how to see that an object works. */
    @SuppressWarnings("unchecked")
    <T> void works(Class<T> type, Check<? super T> check) {
        checks.put(type, subject -> check.run((T) subject));
    }

    /** @param where a type, for all its calls, or one call such as {@code Region.open} */
    private <T> void given(String where, Class<T> type, MakerOf<? extends T> maker) {
        arguments.computeIfAbsent(where, key -> new HashMap<>()).put(type, maker::make);
    }

    private void jdk() {
        made(Path.class, Values::newPath);
        made(String.class, values -> TEXT);
        made(CharSequence.class, values -> TEXT);
        made(Object.class, values -> TEXT);
        made(Class.class, values -> Row.class);
        made(MethodHandles.Lookup.class, values -> MethodHandles.lookup());
        made(byte[].class, values -> new byte[FRAME_BYTES]);
        made(MemorySegment.class, values -> frames());
        made(Arena.class, values -> Arena.ofAuto());
        made(ByteBuffer.class, values -> ByteBuffer.allocate(FRAME_BYTES));
        made(Duration.class, values -> Duration.ofMillis(10));
        made(Instant.class, values -> Instant.EPOCH);
        made(UUID.class, values -> new UUID(1, 2));
        made(List.class, values -> new ArrayList<>());
        made(Collection.class, values -> new ArrayList<>());
        made(Map.class, values -> new HashMap<>());
        made(Set.class, values -> Set.of());
        made(OptionalInt.class, values -> OptionalInt.empty());
        made(OptionalLong.class, values -> OptionalLong.empty());
        made(OptionalDouble.class, values -> OptionalDouble.empty());
        made(Pattern.class, values -> Pattern.compile("x"));
        made(Supplier.class, values -> Bank::new);
        made(Socket.class, values -> new Socket());
        made(Properties.class, values -> new Properties());
        made(Thread.class, values -> Thread.ofPlatform().unstarted(() -> {}));
        made(ThreadFactory.class, values -> Executors.defaultThreadFactory());
        made(Executor.class, values -> Runnable::run);
        made(Throwable.class, values -> new IllegalStateException("of a test"));
        made(Exception.class, values -> new IllegalStateException("of a test"));
        made(OutputStream.class, values -> OutputStream.nullOutputStream());
        made(InputStream.class, values -> InputStream.nullInputStream());
        made(
                PrintStream.class,
                values -> new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        made(BufferedReader.class, values -> new BufferedReader(new StringReader("")));
        made(ReadableByteChannel.class, values -> Channels.newChannel(new ByteArrayInputStream(new byte[0])));
        made(LongStream.class, values -> LongStream.of(0));
        made(InetAddress.class, values -> InetAddress.getLoopbackAddress());
        made(InetSocketAddress.class, values -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        made(Module.class, values -> InterruptProbes.class.getModule());
        made(StringBuilder.class, values -> new StringBuilder());
        made(FileChannel.class, InterruptProbes::aChannel);
        made(FileChannel.MapMode.class, values -> FileChannel.MapMode.READ_WRITE);
    }

    private void core() {
        made(Counters.class, values -> Counters.create(values.newPath(), 1 << 10));
        made(RingBuffer.class, values -> RingBuffer.forManyPublishers(() -> new long[1], 1 << 10));
        made(FrameRing.class, values -> FrameRing.forManyPublishers(1 << 12, WaitStrategy.parking()));
        made(
                LockFreeExecutor.class,
                values -> LockFreeExecutor.builder().workers(1).build());
        made(GrowingManyToOneQueue.class, values -> new GrowingManyToOneQueue<>(2, 4));
        made(BoundedQueue.class, values -> new ManyToManyQueue<>(4));
        made(WaitingQueue.class, values -> new ManyToManyQueue<>(4).waiting(WaitStrategy.parking()));
        // It says how long to go on.
        for (Class<?> queue : List.of(
                BoundedQueue.class,
                GrowingManyToOneQueue.class,
                ManyToManyQueue.class,
                ManyToOneQueue.class,
                OneToManyQueue.class,
                OneToOneQueue.class)) {
            given(queue.getSimpleName(), BooleanSupplier.class, values -> () -> false);
        }
        made(HandlerSettings.class, values -> {
            EventHandler<long[]> handler = (event, sequence, end) -> {};
            EventGraph<long[]> graph = EventGraph.of(RingBuffer.forOnePublisher(() -> new long[1], 16));
            graph.handleEventsWith(handler);
            return graph.settings(handler);
        });
        made(Region.class, values -> Region.create(values.newPath(), 4096));
        works(Region.class, region -> {
            assertThat(region.segment().get(ValueLayout.JAVA_BYTE, region.byteSize() - 1))
                    .isZero();
        });
        works(Counters.class, counters -> counters.add(CounterType.values()[0], "label", "of a test"));
        works(LockFreeExecutor.class, executor -> Await.done(CompletableFuture.runAsync(() -> {}, executor)));
        given("Region", Path.class, InterruptProbes::aFile);
        given("Region.create", Path.class, Values::newPath);
        given("FlightCounters", Path.class, values -> values.of(Counters.class).file());
        given("Counters.create", Path.class, values -> {
            try (Counters left = values.of(Counters.class)) {
                return left.file();
            }
        });
        given("SettingsText", Path.class, InterruptProbes::aFile);
        given("CountersReader", Path.class, values -> values.of(Counters.class).file());
    }

    private void data() {
        made(
                HugeListBuilder.class,
                values -> HugeList.builder(Row.class).rowsPerBlock(64).identity("id"));
        made(BitColumn.class, values -> values.of(HugeList.class).booleans("paid"));
        made(LongColumn.class, values -> values.of(HugeList.class).longs("id"));
        made(DoubleColumn.class, values -> values.of(HugeList.class).doubles("rate"));
        made(Flyweight.class, values -> Codec.of(Getters.class).flyweight());
        made(LongGroups.class, values -> {
            HugeList<?> list = values.of(HugeList.class);
            return list.longs("id").groupBy(list.longs("id"));
        });
        made(DoubleGroups.class, values -> {
            HugeList<?> list = values.of(HugeList.class);
            return list.doubles("rate").groupBy(list.longs("id"));
        });
        given("HugeList.booleans", String.class, values -> "paid");
        given("HugeList.longs", String.class, values -> "id");
        given("HugeList.doubles", String.class, values -> "rate");
        made(HugeList.class, InterruptProbes::aList);
        made(LongLongIndex.class, values -> LongLongIndex.create(values.newPath(), -1));
        made(BytesLongIndex.class, values -> BytesLongIndex.create(values.newPath(), -1));
        works(LongLongIndex.class, index -> {
            index.put(5, 6);
            assertThat(index.get(5)).isEqualTo(6);
        });
        works(BytesLongIndex.class, index -> {
            index.put("five", 6);
            assertThat(index.get("five")).isEqualTo(6);
        });
        given(
                "ListCsv.read",
                CsvReader.class,
                values -> CsvReader.of(
                        MemorySegment.ofArray("id,text,rate,paid\n107,x,1.5,true\n".getBytes(StandardCharsets.UTF_8)),
                        CsvFormat.RFC_4180));
        given("ListArrow.read", Path.class, InterruptProbes::anArrowFile);
        given(
                "ListArrow.read",
                InputStream.class,
                values -> new ByteArrayInputStream(Files.readAllBytes(anArrowFile(values))));
        given("HugeList", Object.class, values -> new Row(9, TEXT, 1, true));
        given("HugeListBuilder.open", Path.class, InterruptProbes::aListFolder);
        given("HugeListBuilder.openReadOnly", Path.class, InterruptProbes::aListFolder);
        given("HugeListBuilder.identity", String.class, values -> "id");
        given("LongLongIndex.open", Path.class, values -> {
            Path path = values.newPath();
            LongLongIndex.create(path, -1).close();
            return path;
        });
        given("BytesLongIndex.open", Path.class, values -> {
            Path path = values.newPath();
            BytesLongIndex.create(path, -1).close();
            return path;
        });
    }

    private void journal() {
        made(JournalConfig.class, values -> Small.journal());
        made(Journal.class, values -> aJournal(values.newPath()));
        made(FileStorage.class, InterruptProbes::aStorage);
        made(Storage.class, InterruptProbes::aStorage);
        made(StorageFile.class, values -> values.of(FileStorage.class).open(TEXT));
        made(ForwardingStorage.class, values -> new ForwardingStorage(aStorage(values)) {});
        made(ForwardingStorageFile.class, values -> new ForwardingStorageFile(values.of(StorageFile.class)) {});
        made(Snapshot.class, InterruptProbes::aSnapshot);
        works(Journal.class, InterruptProbes::requireWriting);
        works(Tailer.class, tailer -> tailer.poll((memory, offset, length) -> {}, 1));
        works(JournalReader.class, reader -> reader.poll((memory, offset, length) -> {}, 1));
        works(Storage.class, storage -> {
            try (StorageFile file = storage.create("another")) {
                file.writeFully(ByteBuffer.allocate(8), 0);
            }
            storage.delete("another");
        });
        works(StorageFile.class, file -> {
            file.size();
            file.read(ByteBuffer.allocate(8), 0);
        });
        for (Class<?> type : List.of(Storage.class, FileStorage.class, ForwardingStorage.class)) {
            given(type.getSimpleName() + ".create", String.class, values -> "new");
        }
        for (Class<?> type : List.of(StorageFile.class, ForwardingStorageFile.class)) {
            given(
                    type.getSimpleName() + ".forceMapped",
                    MemorySegment.class,
                    values -> values.of(Region.class).segment());
        }
        given("JournalTool", Path.class, InterruptProbes::aJournalFolder);
        given("JournalTool.copy", Path.class, Values::newPath);
        given("RecordWalk", Path.class, InterruptProbes::aJournalFolder);
        given("FileStorage.openExisting", Path.class, InterruptProbes::aJournalFolder);
        given("FileStorage.syncAbove", Path.class, InterruptProbes::aJournalFolder);
        given("DeviceSectors", Path.class, InterruptProbes::aJournalFolder);
    }

    private void ipcAndLog() {
        made(ChannelSettings.class, values -> Small.channel());
        made(IpcChannel.class, values -> IpcChannel.create(values.newPath(), Small.channel()));
        works(IpcChannel.class, channel -> {
            try (IpcSubscriber subscriber = channel.newSubscriber("a subscriber of a check", Start.NEWEST)) {
                assertThat(subscriber.isEmpty()).isTrue();
            }
        });
        works(IpcPublisher.class, publisher -> publisher.memory().get(ValueLayout.JAVA_BYTE, 0));
        given(
                "IpcChannel.open",
                Path.class,
                values -> values.of(IpcChannel.class).file());
        given("IpcChannel.removeUnused", Path.class, values -> {
            IpcChannel channel = values.of(IpcChannel.class);
            channel.leave();
            return channel.file();
        });
        made(LogConfig.class, values -> LogConfig.file(values.newPath()));
        made(LogSystem.class, values -> LogSystem.open(LogConfig.file(values.newPath())));
        given("LogSystem.open", Consumer.class, values -> (Consumer<Duty>) duty ->
                values.kept(Worker.builder("log", List.of(duty)).build()).start());
        given("LogConfig.load", Path.class, values -> Files.writeString(values.newPath(), "output = console\n"));
        given("SiteFile.new", Path.class, values -> Files.createDirectory(values.newPath()));
        given("LogTool", String.class, values -> "json");
        given("LogTool", Path.class, values -> {
            Path path = values.newPath();
            LogSystem.open(LogConfig.journal(path)).close();
            return path;
        });
        works(LogSystem.class, system -> {
            system.log("a check").error("works");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            assertThat(system.losses().lost()).as(system.losses().reason()).isZero();
        });
    }

    private void service() {
        made(
                ServiceConfig.class,
                values -> Small.service(values.newPath())
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(Small.journal().withSegmentBytes(1 << 18))
                        .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        made(StateMachine.class, values -> new Bank());
        made(TypedMachine.class, values -> new Bank());
        made(Contract.class, values -> CONTRACT);
        made(Service.class, values -> Service.start(values.of(ServiceConfig.class), new Bank()));
        made(ServiceClient.Builder.class, values -> ServiceClient.builder("127.0.0.1", aPort(values)));
        made(
                ServiceClient.class,
                values -> values.of(ServiceClient.Builder.class).connect());
        made(TypedClient.class, values -> TypedClient.connect(CONTRACT, "127.0.0.1", aPort(values)));
        made(Event.class, values -> new Paid(1));
        made(Operation.class, values -> CONTRACT.operation(Deposit.class));
        made(Output.class, values -> new Output() {
            @Override
            public void reply(MemorySegment memory, long offset, int length) {}

            @Override
            public void event(long session, MemorySegment memory, long offset, int length) {}
        });
        made(Inflow.class, values -> Inflow.of(1, new Sequence()).getFirst());
        made(ChunkedInput.Source.class, values -> new NoChunk());
        given("AccessFile", Path.class, values -> Files.writeString(values.newPath(), "# nobody\n"));
        given("SchemaFile", Path.class, values -> Files.createDirectory(values.newPath()));
        for (String call : List.of("Bisection.find", "ReplayCheck.run", "TestService.assertReplays")) {
            given(call, Path.class, InterruptProbes::aServicesFolder);
        }
        for (String call : List.of("ServiceClient.connect", "TypedClient.connect")) {
            given(call, String.class, values -> "127.0.0.1");
            given(call, int.class, InterruptProbes::aPort);
        }
        works(Service.class, service -> {
            try (TypedClient client = TypedClient.connect(CONTRACT, "127.0.0.1", service.port())) {
                client.call(new Deposit(1, 1));
            }
        });
        works(ServiceClient.class, client -> Await.done(client.queryAsync(aQuery())));
        works(TypedClient.class, client -> client.call(new Deposit(1, 1)));
    }

    private void aboveService() {
        made(Api.class, values -> Api.of(CONTRACT));
        made(ApiPage.class, values -> new ApiPage("page", Map.of("index.html", new byte[0])));
        made(HttpConfig.class, values -> HttpConfig.onPort(0));
        made(Upstream.class, values -> Upstream.at(new InetSocketAddress("localhost", aPort(values))));
        made(
                HttpGateway.class,
                values -> HttpGateway.start(HttpConfig.onPort(0), Api.of(CONTRACT), values.of(Upstream.class)));
        works(HttpGateway.class, gateway -> new Socket(InetAddress.getLoopbackAddress(), gateway.port()).close());
        made(BackupConfig.class, values -> BackupConfig.of(values.of(InetSocketAddress.class), SECRET));
        made(
                BackupSite.class,
                values -> BackupSite.start(values.of(ServiceConfig.class), values.of(BackupConfig.class), new Bank()));
        works(BackupSite.class, site -> assertThat(site.report()).isNotNull());
        made(PushConfig.class, values -> PushConfig.of(values.newPath(), aBackup(values), SECRET));
        given("BackupSite.serve", BackupSite.class, values -> {
            BackupSite site = values.of(BackupSite.class);
            site.promote();
            return site;
        });
        given(
                "HttpGateway.connect",
                HttpGateway.class,
                values -> HttpGateway.listen(HttpConfig.onPort(0), Api.of(CONTRACT), null));
        given(
                "HttpGateway.start",
                InetSocketAddress.class,
                values -> new InetSocketAddress("localhost", aPort(values)));
        given("SiteClient.query", byte[].class, values -> aQuery());
        given("Site", Path.class, values -> Files.createDirectory(values.newPath()));
        made(SiteClient.class, values -> new SiteClient(BackupConfig.of(aBackup(values), SECRET)));
        made(Members.class, values -> new Members(List.of(new MemberAddress(0, "127.0.0.1", MemberPorts.FIRST))));
        made(ClusterConfig.class, InterruptProbes::aCluster);
        made(ClusterMember.class, values -> ClusterMember.start(aCluster(values), new Bank()));
        made(ControlClient.class, values -> new ControlClient(null));
        given("MemberProcess.start", String.class, values -> SECRET);
        given("Members.load", Path.class, values -> Files.writeString(values.newPath(), "member.0 = localhost:7500\n"));
        given("ControlClient", MemberAddress.class, values -> {
            MemberProcess process = values.kept(MemberProcess.start(aCluster(values), Bank::new));
            return process.member().config().members().all().getFirst();
        });
        given("Grid", int.class, values -> 0);
        given("Grid.of", int.class, values -> 1);
        made(Grid.class, values -> Grid.of(1, Bank::new));
    }

    private static MemorySegment frames() {
        MemorySegment memory = Arena.ofAuto().allocate(4096, FRAME_BYTES);
        for (long at = 0; at < memory.byteSize(); at += FRAME_BYTES) {
            JournalRecord.header(memory, at, FRAME_BYTES, (short) 7, (byte) 1, (byte) 0);
        }
        return memory;
    }

    private static Path aFile(Values values) throws Exception {
        return Files.write(values.newPath(), new byte[4096]);
    }

    private static FileChannel aChannel(Values values) throws Exception {
        return FileChannel.open(aFile(values), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static HugeList<Row> aList(Values values) throws Exception {
        HugeList<Row> list =
                HugeList.builder(Row.class).rowsPerBlock(64).identity("id").create(values.newPath());
        for (long id = 0; id < 100; id++) {
            list.add(new Row(id, TEXT, id, false));
        }
        list.commit();
        return list;
    }

    private static Path aListFolder(Values values) throws Exception {
        Path path = values.newPath();
        HugeList.builder(Row.class).rowsPerBlock(64).identity("id").create(path).close();
        return path;
    }

    private static Path anArrowFile(Values values) throws Exception {
        Path path = values.newPath();
        try (HugeList<Row> list = HugeList.of(Row.class)) {
            list.add(new Row(107, TEXT, 1, true));
            ListArrow.writeFile(list, path);
        }
        return path;
    }

    private static Journal aJournal(Path folder) throws Exception {
        Journal journal = Journal.open(folder, Small.journal());
        requireWriting(journal);
        return journal;
    }

    private static void requireWriting(Journal journal) throws Exception {
        journal.append(frames(), 0, FRAME_BYTES);
        journal.commit();
        journal.flush();
        long[] seen = new long[1];
        journal.read(journal.nextSequence() - 1, (memory, offset, length) -> seen[0]++);
        assertThat(seen[0]).isEqualTo(1);
    }

    private static Snapshot aSnapshot(Values values) throws Exception {
        Journal journal = values.of(Journal.class);
        try (SnapshotWriter writer = journal.snapshots().begin(1)) {
            writer.append(frames(), 0, FRAME_BYTES);
            writer.commit();
        }
        return journal.snapshots().newest().orElseThrow();
    }

    private static Path aJournalFolder(Values values) throws Exception {
        Path path = values.newPath();
        aJournal(path).close();
        return path;
    }

    private static FileStorage aStorage(Values values) throws Exception {
        FileStorage storage = FileStorage.open(aJournalFolder(values));
        try (StorageFile file = storage.create(TEXT)) {
            file.writeFully(ByteBuffer.allocate(4096), 0);
        }
        return storage;
    }

    private static byte[] aQuery() {
        return CONTRACT.operation(BalanceOf.class).fromJson("{\"account\":1}");
    }

    private static Path aServicesFolder(Values values) throws Exception {
        ServiceConfig config = values.of(ServiceConfig.class);
        Service.start(config, new Bank()).close();
        return config.directory();
    }

    private static int aPort(Values values) throws Exception {
        return values.of(Service.class).port();
    }

    private static InetSocketAddress aBackup(Values values) throws Exception {
        return new InetSocketAddress("127.0.0.1", values.of(BackupSite.class).port());
    }

    private static ClusterConfig aCluster(Values values) throws Exception {
        return ClusterConfig.of(values.of(Members.class), 0, values.of(ServiceConfig.class))
                .withTermBytes(1 << 18)
                .withJoining(Joining.FORM);
    }
}
