package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.backup.Backups;
import io.slipstream.cluster.backup.Restoration;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.graph.StageSettings;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.memory.Region;
import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.column.Width;
import io.slipstream.data.json.Json;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.Removal;
import io.slipstream.data.schema.Type;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import io.slipstream.data.text.TextBuffer;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcReader;
import io.slipstream.ipc.Start;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.ServiceLimits;
import io.slipstream.service.Threading;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.pressure.PendingLimit;
import io.slipstream.service.security.ClientLimits;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What calls each public method that takes a count, by its name, with a count that a test chooses. */
final class CountProbes {
    private static final MemorySegment MEMORY = MemorySegment.ofArray(new long[32]);
    private static final Duration NO_TIME = Duration.ZERO;
    private static final WaitStrategy WAIT = WaitStrategy.yielding();
    private static final FrameHandler NO_FRAME = (memory, offset, length, endOfBatch) -> {};

    private final Map<String, Probe> all = new TreeMap<>();
    private final Path folder;
    /** Names the next file or folder. */
    private int files;

    interface Probe {
        void with(long count) throws Exception;
    }

    private interface IntProbe {
        void with(int count) throws Exception;
    }

    private interface WithInt<T> {
        void with(T subject, int count) throws Exception;
    }

    private record Row(long id, String text) {}

    /** @param folder for the files of what is called */
    CountProbes(Path folder) {
        this.folder = folder;
        core();
        queues();
        events();
        frames();
        data();
        journal();
        ipc();
        service();
        aboveService();
    }

    Map<String, Probe> all() {
        return all;
    }

    private void ints(String method, IntProbe probe) {
        all.put(method, count -> {
            if (count == (int) count) {
                probe.with((int) count);
            }
        });
    }

    private void longs(String method, Probe probe) {
        all.put(method, probe);
    }

    private void core() {
        ints("PinPlan.withoutSiblings", n -> PinPlan.withoutSiblings(Topology.read(), n));
        ints("Counters.create", n -> Counters.create(newPath(), n).close());
        ints("Builder.workers", n -> LockFreeExecutor.builder().workers(n));
        ints("Builder.stripes", n -> LockFreeExecutor.builder().stripes(n));
        ints("Builder.capacity", n -> LockFreeExecutor.builder().capacity(n));
        ints("Builder.maxTimers", n -> LockFreeExecutor.builder().maxTimers(n));
        ints("Graph.start", this::aGraphStarts);
        ints("HandlerSettings.maxBatch", this::aStageIsSet);
        ints("StageSettings.new", n -> new StageSettings("stage", n, 0, ExceptionPolicy.stop()));
        ints("StageSettings.withMaxBatch", n -> StageSettings.named("stage").withMaxBatch(n));
        ints("ExceptionPolicy.retry", n -> ExceptionPolicy.retry(n, ExceptionPolicy.stop()));
        longs("Region.allocate", this::memoryIsAllocated);
        longs("Region.create", this::aFileIsMapped);
        longs("WaitStrategy.new", n -> new WaitStrategy(1, 1, n, n, true));
    }

    private void queues() {
        ints("ManyToOneQueue.new", ManyToOneQueue<String>::new);
        ints("ManyToManyQueue.new", ManyToManyQueue<String>::new);
        ints("OneToOneQueue.new", OneToOneQueue<String>::new);
        ints("OneToManyQueue.new", OneToManyQueue<String>::new);
        ints("GrowingManyToOneQueue.new", n -> new GrowingManyToOneQueue<String>(2, n));
        for (BoundedQueue<String> queue : List.of(
                new ManyToOneQueue<String>(4),
                new ManyToManyQueue<String>(4),
                new OneToOneQueue<String>(4),
                new OneToManyQueue<String>(4),
                new GrowingManyToOneQueue<String>(2, 4))) {
            String name = queue.getClass().getSimpleName();
            ints(name + ".fill", n -> {
                int filled = queue.fill(() -> "x", n);
                assertThat(filled).isBetween(0, Math.max(0, n));
                assertThat(queue).hasSizeLessThanOrEqualTo(4);
            });
            ints(name + ".drain", n -> {
                queue.clear();
                queue.offer("x");
                assertThat(queue.drain(x -> {}, n)).isEqualTo(n > 0 ? 1 : 0);
            });
        }
        ints("WaitingQueue.drain", n -> {
            var queue = new ManyToManyQueue<String>(4).waiting(WAIT);
            queue.put("x");
            queue.drain(x -> {}, n);
        });
        ints("WaitingQueue.drainTo", n -> {
            var queue = new ManyToManyQueue<String>(4).waiting(WAIT);
            queue.put("x");
            queue.drainTo(new ArrayList<>(), n);
        });
    }

    private void events() {
        ints("RingBuffer.forOnePublisher", n -> RingBuffer.forOnePublisher(() -> null, n, WAIT, WhenFull.FAIL));
        ints("RingBuffer.forManyPublishers", n -> RingBuffer.forManyPublishers(() -> null, n, WAIT, WhenFull.FAIL));
        ofEvents("RingBuffer.claim", RingBuffer::claim);
        ofEvents("RingBuffer.tryClaim", (ring, n) -> {
            ring.tryClaim(n);
            ring.tryClaim(n, NO_TIME);
        });
        ofEvents("RingBuffer.abort", (ring, n) -> ring.abort(ring.claim(2), n));
        ofEvents("EventClaim.claim", (ring, n) -> ring.newClaim().claim(n).close());
        ofEvents("EventClaim.tryClaim", (ring, n) -> {
            ring.newClaim().tryClaim(n);
            ring.newClaim().tryClaim(n, NO_TIME);
        });
        ofEvents("EventPoller.poll", (ring, n) -> {
            EventPoller<long[]> poller = ring.newPoller();
            ring.publish(ring.claim());
            assertThat(poller.poll((event, sequence, end) -> true, n)).isEqualTo(Math.min(n, 1));
            assertThat(poller.poll((event, sequence, end) -> true, n, NO_TIME)).isLessThan(2);
        });
        ofEvents("EventPoller.available", (ring, n) -> {
            EventPoller<long[]> poller = ring.newPoller();
            ring.publish(ring.claim());
            assertThat(poller.available(n)).isEqualTo(Math.min(n, 1));
        });
    }

    private void frames() {
        ints("FrameRing.new", n -> {
            new FrameRing(n);
        });
        ints("FrameRing.forOnePublisher", n -> FrameRing.forOnePublisher(n, WAIT));
        ints("FrameRing.forManyPublishers", n -> FrameRing.forManyPublishers(n, WAIT));
        ints("FrameRing.stride", n -> assertThat(FrameRing.stride(n)).isPositive());
        ofFrames("FrameRing.claim", (ring, n) -> {
            tryEach(() -> ring.claim(n), () -> ring.claim(n, 1), () -> ring.claim(8, n));
        });
        ofFrames(
                "FrameRing.tryClaim",
                (ring, n) -> tryEach(
                        () -> ring.tryClaim(n),
                        () -> ring.tryClaim(n, NO_TIME),
                        () -> ring.tryClaim(n, 1),
                        () -> ring.tryClaim(8, n),
                        () -> ring.tryClaim(n, n, NO_TIME)));
        ofFrames("FrameRing.publishFrame", (ring, n) -> ring.publishFrame(n, (m, o, l, a) -> {}, ""));
        ofFrames("FrameRing.tryPublishFrame", (ring, n) -> ring.tryPublishFrame(n, (m, o, l, a) -> {}, ""));
        ofFrames(
                "FrameClaim.claim",
                (ring, n) -> tryEach(
                        () -> ring.newClaim().claim(n).close(),
                        () -> ring.newClaim().claim(n, 1).close(),
                        () -> ring.newClaim().claim(8, n).close()));
        ofFrames(
                "FrameClaim.tryClaim",
                (ring, n) -> tryEach(
                        () -> ring.newClaim().tryClaim(n),
                        () -> ring.newClaim().tryClaim(n, NO_TIME),
                        () -> ring.newClaim().tryClaim(8, n),
                        () -> ring.newClaim().tryClaim(n, n, NO_TIME)));
        ofFrames("FramePoller.poll", (ring, n) -> {
            FramePoller poller = ring.newPoller();
            ring.publish(ring.claim(8));
            assertThat(poller.poll(NO_FRAME, n)).isEqualTo(Math.min(n, 1));
            poller.poll(NO_FRAME, n, NO_TIME);
        });
        ofFrames("FramePoller.peek", (ring, n) -> {
            FramePoller poller = ring.newPoller();
            ring.publish(ring.claim(8));
            assertThat(poller.peek(NO_FRAME, n)).isEqualTo(Math.min(n, 1));
        });
        ofFrames("FramePoller.peekRun", (ring, n) -> {
            FramePoller poller = ring.newPoller();
            ring.publish(ring.claim(8));
            assertThat(poller.peekRun(n)).as("one frame at least").isEqualTo(16);
        });
        ofFrames("FramePoller.release", (ring, n) -> {
            FramePoller poller = ring.newPoller();
            ring.publish(ring.claim(8));
            poller.peekRun(64);
            poller.release(n);
        });
        ofFrames("SmartBatcher.new", (ring, n) -> new SmartBatcher<>(ring, ring.newPoller(), n, (m, o, b) -> b));
    }

    private void data() {
        longs("RowSet.new", n -> {
            if (n != Integer.MAX_VALUE) {
                // Which would take 256 MiB.
                assertThat(new RowSet(n).rows()).isEqualTo(n);
            }
        });
        ints(
                "HugeListBuilder.rowsPerBlock",
                n -> HugeList.builder(Row.class).rowsPerBlock(n).inMemory().close());
        List<Width> widths = List.of(Width.LONG, Width.BIT);
        ints("BlockLayout.new", n -> new BlockLayout(widths, List.of(2), n));
        ints("BlockLayout.ofColumns", n -> BlockLayout.ofColumns(widths, n));
        ints("Removal.step", n -> {
            try (HugeList<Row> list = HugeList.builder(Row.class).inMemory();
                    Removal<Row> removal = list.removal(row -> true)) {
                removal.step(n);
            }
        });
        longs("HugeList.truncate", n -> {
            try (HugeList<Row> list = HugeList.builder(Row.class).inMemory()) {
                list.truncate(n);
            } catch (IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
        ints("Json.withMaxBytes", n -> Json.of(Row.class).withMaxBytes(n).read("{\"id\":1,\"text\":\"x\"}"));
        ints("Text.new", n -> assertThat(new Type.Text(n).slotBytes()).isPositive());
        ints(
                "Sequence.new",
                n -> assertThat(new Type.Sequence(new Type.Text(0), n).slotBytes())
                        .isPositive());
        ints(
                "Array.new",
                n -> assertThat(new Type.Array(Type.Scalar.LONG, n, true).slotBytes())
                        .isNotNegative());
        ints("TextBuffer.new", n -> new TextBuffer(n).append(1L));
        ints("TextBuffer.truncate", n -> {
            try {
                new TextBuffer(8).truncate(n);
            } catch (IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
        ints(
                "CsvReader.of",
                n -> tryEach(
                        () -> CsvReader.of(MEMORY, CsvFormat.RFC_4180, n),
                        () -> CsvReader.of(Channels.newChannel(InputStream.nullInputStream()), CsvFormat.RFC_4180, n)));
    }

    private void journal() {
        ints("JournalConfig.withSegmentBytes", n -> Small.journal().withSegmentBytes(n));
        ints("JournalConfig.withBatchBytes", n -> Small.journal().withBatchBytes(n));
        ints("JournalConfig.withBlockBytes", n -> Small.journal().withBlockBytes(n));
        ints("JournalConfig.withSpareSegments", n -> Small.journal().withSpareSegments(n));
        ints("JournalConfig.withPreparedSegments", n -> Small.journal().withPreparedSegments(n));
        ofJournal("Journal.append", (journal, n) -> journal.append(MEMORY, 0, n));
        ofJournal(
                "Journal.hasRoomFor",
                (journal, n) -> assertThat(journal.hasRoomFor(n))
                        .as("room for an append")
                        .isEqualTo(n >= 0 && n <= journal.maxAppendBytes()));
        ofJournal("Snapshots.keep", (journal, n) -> journal.snapshots().keep(n));
        ofJournal("SnapshotWriter.append", (journal, n) -> {
            try (SnapshotWriter writer = journal.snapshots().begin(0)) {
                writer.append(MEMORY, 0, n);
            }
        });
        ofJournal("JournalReader.poll", (journal, n) -> {
            try (JournalReader reader = journal.reader(1)) {
                assertThat(reader.poll((memory, offset, length) -> {}, n)).isZero();
            }
        });
        ofJournal("JournalReader.peek", (journal, n) -> {
            try (JournalReader reader = journal.reader(1)) {
                assertThat(reader.peek((memory, offset, length) -> {}, n)).isZero();
            }
        });
        ofJournal("Tailer.poll", (journal, n) -> {
            try (Tailer tailer = journal.tailer("tailer")) {
                assertThat(tailer.poll((memory, offset, length) -> {}, n)).isZero();
            }
        });
        longs("JournalTool.lastSequences", n -> {
            Path path = newPath();
            Journal.open(path, Small.journal()).close();
            Report report =
                    new Report(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8), false);
            try (JournalTool tool = new JournalTool(path, report)) {
                assertThat(tool.lastSequences(n)).isEqualTo(1);
            }
        });
    }

    private void ipc() {
        ints(
                "ChannelSettings.new",
                n -> tryEach(
                        () -> new ChannelSettings(n, true, 4, true),
                        () -> new ChannelSettings(1 << 16, true, n, true)));
        ints("ChannelSettings.onePublisher", ChannelSettings::onePublisher);
        ints("ChannelSettings.manyPublishers", ChannelSettings::manyPublishers);
        ints("ChannelSettings.withParties", n -> Small.channel().withParties(n));
        ofPublisher("IpcPublisher.claim", (publisher, n) -> publisher.abort(publisher.claim(n)));
        ofPublisher(
                "IpcPublisher.tryClaim",
                (publisher, n) -> tryEach(
                        () -> publisher.abort(publisher.tryClaim(n)),
                        () -> publisher.abort(publisher.tryClaim(n, NO_TIME))));
        for (String kind : List.of("OnePublisher", "ManyPublisher")) {
            all.put(kind + ".tryClaim", all.get("IpcPublisher.tryClaim"));
        }
        ofPublisher(
                "IpcPublisher.tryPublishFrame", (publisher, n) -> publisher.tryPublishFrame(n, (m, o, l, a) -> {}, ""));
        ofPublisher("IpcPublisher.publishFrame", (publisher, n) -> publisher.publishFrame(n, (m, o, l, a) -> {}, ""));
        ints("IpcSubscriber.poll", n -> aReaderPolls(false, n));
        ints("IpcObserver.poll", n -> aReaderPolls(true, n));
    }

    private void service() {
        ints("ServiceLimits.withMaxPending", n -> serviceLimits(limits -> limits.withMaxPending(n)));
        ints(
                "ServiceLimits.withClients",
                n -> tryEach(
                        () -> serviceLimits(limits -> limits.withClients(n, 1, 4096)),
                        () -> serviceLimits(limits -> limits.withClients(1, n, 4096)),
                        () -> serviceLimits(limits -> limits.withClients(1, 1, n))));
        ints("ServiceLimits.withMaxFrameLength", n -> serviceLimits(limits -> limits.withMaxFrameLength(n)));
        ints("ServiceLimits.withMaxUnreadBytes", n -> serviceLimits(limits -> limits.withMaxUnreadBytes(n)));
        ints(
                "ServiceLimits.withRings",
                n -> tryEach(
                        () -> serviceLimits(limits -> limits.withRings(n, 1 << 20)),
                        () -> serviceLimits(limits -> limits.withRings(1 << 20, n))));
        ints("ServiceLimits.withFeedBytes", n -> serviceLimits(limits -> limits.withFeedBytes(n)));
        ints("Threading.forProcessors", Threading::forProcessors);
        ints("ServiceConfig.withGatewayThreads", n -> Small.service(folder).withGatewayThreads(n));
        ints("Builder.windowBytes", n -> ServiceClient.builder("localhost", 1).windowBytes(n));
        longs(
                "PendingLimit.new",
                n -> tryEach(
                        () -> assertThat(new PendingLimit(new Sequence(0), 1_000_000, n, Long.MAX_VALUE).limit())
                                .isNotNegative(),
                        () -> assertThat(new PendingLimit(new Sequence(0), 1_000_000, 0, n).limit())
                                .isNotNegative()));
        longs("ClientLimits.new", n -> tryEach(() -> new ClientLimits(n, 1, 1), () -> new ClientLimits(1, n, 1)));
        longs("SnapshotPolicy.new", n -> new SnapshotPolicy(n, NO_TIME, NO_TIME, 2, false));
        longs("SnapshotPolicy.everyLogBytes", SnapshotPolicy::everyLogBytes);
        ints(
                "SnapshotPolicy.withSnapshotsKept",
                n -> SnapshotPolicy.everyLogBytes(1).withSnapshotsKept(n));
    }

    private void aboveService() {
        ints(
                "HttpLimits.new",
                n -> new HttpLimits(
                        n, n, n, n, n, n, n, n, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1)));
        ints("HttpLimits.withRatePerSecond", HttpLimits.DEFAULT::withRatePerSecond);
        ints("HttpLimits.withBodyBytes", HttpLimits.DEFAULT::withBodyBytes);
        ints("HttpLimits.withBatchLines", HttpLimits.DEFAULT::withBatchLines);
        ints("HttpLimits.withPending", HttpLimits.DEFAULT::withPending);
        ints("HttpLimits.withPendingBytes", HttpLimits.DEFAULT::withPendingBytes);
        ints("HttpLimits.withSessions", HttpLimits.DEFAULT::withSessions);
        ints("HttpLimits.withStreams", HttpLimits.DEFAULT::withStreams);
        longs("PushConfig.withBandwidth", n -> Small.push(folder).withBandwidth(n));
        longs("PushConfig.withAlert", n -> Small.push(folder).withAlert(n, Duration.ofSeconds(1)));
        ints("Backups.keep", n -> new Backups(folder, Small.cluster(folder).members(), null).keep(n));
        // Any other number would be that of a member.
        ints("Restoration.restore", n -> Restoration.restore(folder, folder, n == 0 ? -1 : n));
        longs("ClusterConfig.withSnapshotLogBytes", n -> Small.cluster(folder).withSnapshotLogBytes(n));
        ints("ClusterConfig.withTermBytes", n -> Small.cluster(folder).withTermBytes(n));
        ints(
                "Grid.of",
                n -> Grid.of(n, () -> {
                            throw new AssertionError("a machine for a grid of " + n);
                        })
                        .close());
    }

    private void memoryIsAllocated(long bytes) {
        if (bytes != Integer.MAX_VALUE) {
            try {
                Region.allocate(bytes).close();
            } catch (OutOfMemoryError e) {
                // As documented.
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    private void aFileIsMapped(long bytes) throws IOException {
        if (bytes != Integer.MAX_VALUE) {
            Region.create(newPath(), bytes).close();
        }
    }

    private void aGraphStarts(int threads) {
        try (EventGraph<long[]> graph = EventGraph.of(ring())) {
            EventHandler<long[]> handler = (event, sequence, end) -> {};
            graph.handleEventsWith(handler);
            graph.start(WaitStrategy.parking(), threads);
        }
    }

    private void aStageIsSet(int maxBatch) {
        try (EventGraph<long[]> graph = EventGraph.of(ring())) {
            EventHandler<long[]> handler = (event, sequence, end) -> {};
            graph.handleEventsWith(handler);
            graph.settings(handler).maxBatch(maxBatch);
        }
    }

    private void ofEvents(String method, WithInt<RingBuffer<long[]>> probe) {
        ints(method, n -> probe.with(ring(), n));
    }

    private static RingBuffer<long[]> ring() {
        return RingBuffer.forOnePublisher(() -> new long[1], 16);
    }

    private void ofFrames(String method, WithInt<FrameRing> probe) {
        ints(
                method,
                n -> tryEach(
                        () -> probe.with(FrameRing.forOnePublisher(1 << 12, WAIT), n),
                        () -> probe.with(FrameRing.forManyPublishers(1 << 12, WAIT), n)));
    }

    private void ofJournal(String method, WithInt<Journal> probe) {
        ints(method, n -> {
            try (Journal journal = Journal.open(newPath(), Small.journal())) {
                probe.with(journal, n);
            }
        });
    }

    private void ofPublisher(String method, WithInt<IpcPublisher> probe) {
        ints(method, n -> {
            for (ChannelSettings settings :
                    List.of(ChannelSettings.onePublisher(1 << 16), ChannelSettings.manyPublishers(1 << 16))) {
                try (IpcChannel channel = IpcChannel.create(newPath(), settings);
                        IpcPublisher publisher = channel.newPublisher("publisher")) {
                    probe.with(publisher, n);
                }
            }
        });
    }

    private void aReaderPolls(boolean observes, int most) throws Exception {
        try (IpcChannel channel = IpcChannel.create(newPath(), Small.channel());
                IpcReader reader = observes
                        ? channel.newObserver("reader", Start.NEWEST)
                        : channel.newSubscriber("reader", Start.NEWEST);
                IpcPublisher publisher = channel.newPublisher("publisher")) {
            publisher.publish(MEMORY.asSlice(0, 8));
            assertThat(reader.poll(NO_FRAME, most)).isEqualTo(Math.clamp(most, 0, 1));
        }
    }

    private void serviceLimits(UnaryOperator<ServiceLimits> change) {
        Small.service(folder).withLimits(change);
    }

    private Path newPath() {
        return folder.resolve("file-" + files++);
    }

    /** Tries each, though one before it has refused; throws the last refusal. */
    private static void tryEach(Call... calls) throws Exception {
        IllegalArgumentException refusal = null;
        for (Call call : calls) {
            try {
                call.run();
            } catch (IllegalArgumentException e) {
                if (refusal != null) {
                    e.addSuppressed(refusal);
                }
                refusal = e;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    private interface Call {
        void run() throws Exception;
    }
}
