package io.slipstream.benchmarks.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;

/** Aeron Cluster alone, with a service that sends back what it gets, and with the settings of ours. */
final class AeronReplicas implements Replicas, EgressListener {
    private static final int PORTS = 5;
    private static final String CHANNEL = "aeron:udp?term-length=4m";

    private final Path folder = Folders.create();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final ExpandableArrayBuffer command = new ExpandableArrayBuffer(COMMAND_BYTES);
    private final IdleStrategy idle = idle();
    private final AeronCluster client;
    private long[] sent = new long[0];
    private long[] each = new long[0];
    private int answered;

    AeronReplicas(boolean forced) throws IOException {
        int[] ports = {Folders.ports(PORTS), Folders.ports(PORTS), Folders.ports(PORTS)};
        StringBuilder members = new StringBuilder();
        StringBuilder ingress = new StringBuilder();
        for (int id = 0; id < ports.length; id++) {
            members.append(id);
            for (int port = ports[id]; port < ports[id] + PORTS; port++) {
                members.append(",127.0.0.1:").append(port);
            }
            members.append('|');
            ingress.append(id == 0 ? "" : ",").append(id).append("=127.0.0.1:").append(ports[id]);
        }
        for (int id = 0; id < ports.length; id++) {
            start(id, members.toString(), ports[id] + PORTS - 1, forced);
        }
        MediaDriver driver = MediaDriver.launch(driver("client"));
        client = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .egressListener(this)
                .ingressChannel(CHANNEL)
                .ingressEndpoints(ingress.toString())
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .messageTimeoutNs(TimeUnit.SECONDS.toNanos(30)));
        parts.add(driver);
        parts.add(client);
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(1, 1, 1_000, 200_000);
    }

    private MediaDriver.Context driver(String name) {
        return new MediaDriver.Context()
                .aeronDirectoryName("/dev/shm/" + folder.getFileName() + "-bare-" + name)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .termBufferSparseFile(true)
                .publicationTermBufferLength(1 << 16)
                .ipcTermBufferLength(1 << 16);
    }

    private void start(int id, String members, int archivePort, boolean forced) {
        MediaDriver.Context driver = driver("member-" + id);
        Path own = folder.resolve("member-" + id);
        int level = forced ? 1 : 0;
        Archive.Context archive = new Archive.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .archiveDir(own.resolve("archive").toFile())
                .controlChannel("aeron:udp?endpoint=127.0.0.1:" + archivePort)
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .archiveClientContext(
                        new AeronArchive.Context().controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"))
                .recordingEventsEnabled(false)
                .segmentFileLength(1 << 24)
                .fileSyncLevel(level)
                .catalogFileSyncLevel(level)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(AeronReplicas::idle);
        AeronArchive.Context local = new AeronArchive.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .lock(NoOpLock.INSTANCE)
                .controlRequestChannel(archive.localControlChannel())
                .controlRequestStreamId(archive.localControlStreamId())
                .controlResponseChannel(archive.localControlChannel());
        ConsensusModule.Context module = new ConsensusModule.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .clusterMemberId(id)
                .clusterMembers(members)
                .clusterDir(own.resolve("cluster").toFile())
                .ingressChannel(CHANNEL)
                .logChannel(CHANNEL)
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .archiveContext(local.clone())
                .fileSyncLevel(level)
                .leaderHeartbeatTimeoutNs(TimeUnit.MILLISECONDS.toNanos(800))
                .leaderHeartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(80))
                .electionTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200))
                .electionStatusIntervalNs(TimeUnit.MILLISECONDS.toNanos(20))
                .startupCanvassTimeoutNs(TimeUnit.MILLISECONDS.toNanos(3_200))
                .idleStrategySupplier(AeronReplicas::idle);
        parts.add(ClusteredMediaDriver.launch(driver, archive, module));
        parts.add(ClusteredServiceContainer.launch(new ClusteredServiceContainer.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .archiveContext(local.clone())
                .clusterDir(own.resolve("cluster").toFile())
                .clusteredService(new Echo())
                .idleStrategySupplier(AeronReplicas::idle)));
    }

    @Override
    public Seen send(int commands, int inFlight) throws IOException {
        sent = new long[commands];
        each = new long[commands];
        answered = 0;
        long begin = System.nanoTime();
        int next = 0;
        while (answered < commands) {
            int done = client.pollEgress();
            if (next < commands && next - answered < inFlight) {
                command.putLong(0, next);
                sent[next] = System.nanoTime();
                if (client.offer(command, 0, COMMAND_BYTES) > 0) {
                    next++;
                    done++;
                }
            }
            if (System.nanoTime() - begin > TimeUnit.MINUTES.toNanos(1)) {
                throw new IOException("only " + answered + " of " + commands + " commands were answered in a minute");
            }
            idle.idle(done);
        }
        return new Seen(System.nanoTime() - begin, each);
    }

    @Override
    public void onMessage(long session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        int number = (int) buffer.getLong(offset);
        each[number] = System.nanoTime() - sent[number];
        answered++;
    }

    @Override
    public void close() throws IOException {
        CloseHelper.quietCloseAll(parts.reversed());
        Folders.remove(folder);
    }

    /** Sends back what it gets. */
    private static final class Echo implements ClusteredService {
        private IdleStrategy idle = AeronReplicas.idle();

        @Override
        public void onStart(Cluster cluster, Image snapshot) {
            idle = cluster.idleStrategy();
        }

        @Override
        public void onSessionMessage(
                ClientSession session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
            idle.reset();
            while (session.offer(buffer, offset, length) < 0) {
                idle.idle();
            }
        }

        @Override
        public void onSessionOpen(ClientSession session, long timestamp) {}

        @Override
        public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

        @Override
        public void onTimerEvent(long correlation, long timestamp) {}

        @Override
        public void onTakeSnapshot(ExclusivePublication publication) {}

        @Override
        public void onRoleChange(Cluster.Role role) {}

        @Override
        public void onTerminate(Cluster cluster) {}
    }
}
