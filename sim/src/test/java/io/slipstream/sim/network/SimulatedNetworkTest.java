package io.slipstream.sim.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.world.Schedule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class SimulatedNetworkTest {
    private static final int PORT = 7000;
    private static final int SMALL_BYTES = 256;
    private static final int MESSAGE_BYTES = 4000;

    private final Schedule schedule = new Schedule(1);
    private final SimulatedNetwork network = new SimulatedNetwork(schedule);

    @Test
    void aConnectionThatBeganInABadNetworkHasAllItsRoomWhenThatIsOver() throws Exception {
        try (ServerSocketChannel listener =
                new SimulatedHost(schedule, network, "service").network().openServerSocketChannel()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
            listener.bind(address);
            network.setFaults(new NetworkFaults(1000, 0, 0, SMALL_BYTES));
            try (SocketChannel channel =
                    new SimulatedHost(schedule, network, "client").network().openSocketChannel()) {
                channel.connect(address);
                channel.configureBlocking(false);
                ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES);
                assertThat(channel.write(message)).isEqualTo(SMALL_BYTES);
                assertThat(channel.write(message)).isZero();
                network.setFaults(NetworkFaults.NONE);
                assertThat(channel.write(message)).isEqualTo(MESSAGE_BYTES - SMALL_BYTES);
            }
        }
    }
}
