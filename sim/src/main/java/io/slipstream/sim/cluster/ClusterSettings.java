package io.slipstream.sim.cluster;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.sim.host.SimulatedHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How a cluster is set up, for its whole life. */
final class ClusterSettings {
    private static final Path FOLDER = Path.of("simulated-member");
    private static final String LOOPBACK = "127.0.0.1";
    private static final int FIRST_PORT = 7000;
    private static final int FRAME_BYTES = 4096;
    private static final int MOST_CONNECTIONS = 16;
    private static final int MOST_CLIENTS = 6;

    private final Members members = new Members(IntStream.range(0, ClusterSimulation.MEMBERS)
            .mapToObj(id -> new MemberAddress(id, LOOPBACK, port(id)))
            .toList());
    private final int clients;
    private final int sessions;
    private final long checkEvery;

    ClusterSettings(SplittableRandom random) {
        this.clients = 1 + random.nextInt(MOST_CLIENTS);
        // Often with room for no session of somebody who has left.
        this.sessions = random.nextBoolean() ? clients : MOST_CONNECTIONS;
        this.checkEvery = 1 + random.nextInt(50);
    }

    private static int port(int id) {
        return FIRST_PORT + id * MemberAddress.PORTS;
    }

    /** Returns where clients come, with commas between. */
    static String addresses() {
        return IntStream.range(0, ClusterSimulation.MEMBERS)
                .mapToObj(id -> LOOPBACK + ':' + port(id))
                .collect(Collectors.joining(","));
    }

    /** Returns how many clients there are. */
    int clients() {
        return clients;
    }

    ServiceConfig service(SimulatedHost host, int id) {
        return ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(id)))
                .withMaxResponseTime(Duration.ofMillis(50))
                .withStateChecks(checkEvery)
                .withLimits(limits -> limits.withMaxFrameLength(FRAME_BYTES)
                        .withClients(MOST_CONNECTIONS, sessions, 1 << 14)
                        .withRings(1 << 16, 1 << 19)
                        .withMaxUnreadBytes(1 << 19)
                        .withFeedBytes(1 << 12));
    }

    ClusterConfig cluster(ServiceConfig service, int id) {
        return ClusterConfig.of(members, id, service);
    }
}
