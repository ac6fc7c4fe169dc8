package io.slipstream.sim.pair;

import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Somebody who uses the service, at whichever site it is. */
final class PairClient implements ReplyHandler {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long LONGEST_THINK_NANOS = 500_000_000;
    private static final int MOST_MORE_BYTES = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final String name;
    private final String addresses;
    private final Chance chance;
    private final List<Long> answered = new ArrayList<>();
    private final long ids;
    private SimulatedHost host;
    private ServiceClient client;
    private long offered;
    private int open;
    private boolean isDone;

    PairClient(Schedule schedule, SimulatedNetwork network, int number, String addresses) {
        this.schedule = schedule;
        this.network = network;
        this.name = "client-" + number;
        this.addresses = addresses;
        this.chance = schedule.chance(name);
        this.ids = (long) number << Integer.SIZE;
        this.host = new SimulatedHost(schedule, network, name);
        this.client = connect();
        schedule.after(0, this::use);
    }

    /** Returns what was answered. */
    List<Long> answered() {
        return answered;
    }

    long offered() {
        return offered;
    }

    /** Returns how many commands have no answer yet. */
    int open() {
        return open;
    }

    /** Offers nothing any more. */
    void finish() {
        isDone = true;
    }

    void leave() {
        host.die();
        client.disconnect();
    }

    private ServiceClient connect() {
        try {
            return ServiceClient.builder(addresses)
                    .machine(host)
                    .handler(this)
                    .connectTimeout(PATIENCE)
                    .reconnectTimeout(PATIENCE)
                    .begin();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void use() {
        if (!client.isOpen()) {
            schedule.trace().note(name, "gives up and begins anew", open);
            network.kill(host);
            leave();
            open = 0;
            host = new SimulatedHost(schedule, network, name);
            client = connect();
        }
        if (!isDone) {
            for (int i = chance.random().nextInt(4); i > 0; i--) {
                offer();
            }
            host.wake();
        }
        schedule.after(chance.someNanos(LONGEST_THINK_NANOS / 100, LONGEST_THINK_NANOS), this::use);
    }

    private void offer() {
        long id = ids | offered + 1;
        MemorySegment message =
                MemorySegment.ofArray(new byte[Long.BYTES + chance.random().nextInt(MOST_MORE_BYTES)]);
        message.set(LONG, 0, id);
        try {
            if (client.offer(message, 0, (int) message.byteSize(), id)) {
                offered++;
                open++;
                schedule.trace().note(name, "offers", id);
            }
        } catch (ServiceException e) {
            // It has given up its connection, which is seen at the next use.
        }
    }

    @Override
    public void onReply(long id, long sequence, MemorySegment memory, long offset, int length) {
        open--;
        answered.add(id);
        schedule.trace().note(name, "reply to " + id + " as entry", sequence);
    }

    @Override
    public void onFailure(long id, ServiceException failure) {
        open--;
        schedule.trace().note(name, "failure " + failure.code() + " of", id);
    }

    @Override
    public void onBusy(long id, long retryAfterNanos) {
        open--;
        schedule.trace().note(name, "busy", id);
    }
}
