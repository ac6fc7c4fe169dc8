package io.slipstream.sim.network;

import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** The sockets and selectors of one process. */
final class SimulatedProvider extends SelectorProvider {
    private final SimulatedNetwork network;
    private final Node node;

    SimulatedProvider(SimulatedNetwork network, Node node) {
        this.network = network;
        this.node = node;
    }

    SimulatedNetwork network() {
        return network;
    }

    Node node() {
        return node;
    }

    @Override
    public AbstractSelector openSelector() {
        return new SimulatedSelector(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new SimulatedServer(this);
    }

    @Override
    public SocketChannel openSocketChannel() {
        return new SimulatedSocket(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        throw new UnsupportedOperationException("a simulated network has no datagrams");
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        throw new UnsupportedOperationException("a simulated network has no datagrams");
    }

    @Override
    public Pipe openPipe() {
        throw new UnsupportedOperationException("a simulated network has no pipes");
    }
}
