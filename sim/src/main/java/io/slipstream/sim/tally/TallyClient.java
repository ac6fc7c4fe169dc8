package io.slipstream.sim.tally;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Somebody who sends commands with numbers of his own, wherever the service is. */
public final class TallyClient implements ReplyHandler {
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
    private final @Nullable Floor floor;
    /* What the next answers to queries must have, by the number of the query. */
    private final Map<Long, Long> asked = new HashMap<>();
    private SimulatedHost host;
    private ServiceClient client;
    private long offered;
    private long queries;
    private long failures;
    private int open;
    private boolean isDone;

    /**
     * Creates a client that comes at once.
     *
     * @param number    that no other client has
     * @param addresses where the service may be, with commas between
     * @param floor     of what queries may be answered with; null to send none
     */
    public TallyClient(
            Schedule schedule, SimulatedNetwork network, int number, String addresses, @Nullable Floor floor) {
        this.schedule = schedule;
        this.network = network;
        this.name = "client-" + number;
        this.addresses = addresses;
        this.floor = floor;
        this.chance = schedule.chance(name);
        this.ids = (long) number << Integer.SIZE;
        this.host = new SimulatedHost(schedule, network, name);
        this.client = connect();
        schedule.after(0, this::use);
    }

    /** Returns what was answered. */
    public List<Long> answered() {
        return answered;
    }

    /** Returns how many commands were offered. */
    public long offered() {
        return offered;
    }

    /** Returns how many commands have no answer yet. */
    public int open() {
        return open;
    }

    /** Offers nothing any more. */
    public void finish() {
        isDone = true;
    }

    /** Offers again. */
    public void goOn() {
        isDone = false;
    }

    /** Dies at once and without a word, and begins anew as somebody whom the service does not know. */
    public void beginsAnew() {
        schedule.trace().note(name, "begins anew", open);
        network.kill(host);
        leave();
        open = 0;
        asked.clear();
        host = new SimulatedHost(schedule, network, name);
        client = connect();
    }

    /** Returns how many commands and queries have failed. */
    public long failures() {
        return failures;
    }

    /** Is no more. */
    public void leave() {
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
            schedule.trace().note(name, "gives up", open);
            beginsAnew();
        }
        if (!isDone) {
            for (int i = chance.random().nextInt(4); i > 0; i--) {
                offer();
            }
            if (floor != null && chance.random().nextBoolean()) {
                ask(floor);
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

    /** Queries have numbers below 0. */
    private void ask(Floor atLeast) {
        long id = - ++queries;
        try {
            if (client.offerQuery(MemorySegment.ofArray(new byte[1]), 0, 1, id)) {
                open++;
                asked.put(id, atLeast.commands());
                schedule.trace().note(name, "asks", id);
            }
        } catch (ServiceException e) {
            // As for a command.
        }
    }

    @Override
    public void onReply(long id, long sequence, MemorySegment memory, long offset, int length) {
        open--;
        if (floor != null && id < 0) {
            long commands = memory.get(LONG, offset);
            schedule.trace().note(name, "hears of commands", commands);
            floor.heard(commands, asked.remove(id));
            return;
        }
        answered.add(id);
        if (floor != null) {
            floor.answered();
        }
        schedule.trace().note(name, "reply to " + id + " as entry", sequence);
    }

    @Override
    public void onFailure(long id, ServiceException failure) {
        open--;
        failures++;
        schedule.trace().note(name, "failure " + failure.code() + " of", id);
    }

    @Override
    public void onBusy(long id, long retryAfterNanos) {
        open--;
        schedule.trace().note(name, "busy", id);
    }
}
