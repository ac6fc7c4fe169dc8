package io.slipstream.sim.network;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;

/** What a selector knows of a channel. */
final class SimulatedKey extends AbstractSelectionKey {
    private final SelectableChannel channel;
    private final Selector selector;
    private int interest;
    private int ready;

    SimulatedKey(SelectableChannel channel, Selector selector, int interest) {
        this.channel = channel;
        this.selector = selector;
        this.interest = interest;
    }

    /** Looks what the channel is ready for; returns whether that is anything which is wanted. */
    boolean look() {
        ready = isValid() ? ((Ready) channel).readyOps() & interest : 0;
        return ready != 0;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int operations) {
        requireValid();
        interest = operations;
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }
}
