package io.slipstream.service.gateway;

import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.Host;
import io.slipstream.service.machine.ClientSchemas;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gateways of one service, each with a thread of its own. The first one accepts, and gives each client that
 * connects to the next one in turn. From then on a client is at one gateway as long as its connection lasts.
 *
 * <pre>
 *   clients ──▶ accept, in turn ──▶ gateway 1 ──┐                                    ┌──▶ gateway 1
 *               (gateway 1)     ──▶ gateway 2 ──┼─▶ input ring ─ ... ─ output ring ──┼──▶ gateway 2
 *                               ──▶ gateway 3 ──┘                                    └──▶ gateway 3
 *                                       many publishers               each reads all, and sends its clients theirs
 * </pre>
 *
 * Each gateway counts on its own thread, and the sums are made by whoever asks.
 */
public final class Gateways {
    /** Hears how full it is. */
    @FunctionalInterface
    public interface Pressure {
        /** Does not hear it. */
        Pressure UNHEARD = (_, _, _) -> {};

        /**
         * The level is another one; called by a gateway's thread at each change.
         *
         * @param pending how many commands wait
         * @param limit   how many can be answered in time
         */
        void onPressure(PressureGauge.Level level, long pending, long limit);
    }

    final Host host;
    final GatewaySecurity security;
    final ClientSchemas schemas;
    final GatewayLimits limits;
    final FrameRing input;
    final FrameRing output;
    final @Nullable CommandTimes times;
    final @Nullable Path memory;
    final Consumer<String> report;
    final Allowances allowances = new Allowances();
    private final List<Inflow> inflows;
    private final List<Gateway> all = new ArrayList<>();
    private final Reception reception;

    /* For the thread that accepts. */
    private final Sequence welcomed = new Sequence();
    private int turn;

    /**
     * Creates a gateway for each of {@code pollers}, and binds the addresses.
     *
     * @param host      gives time and sockets
     * @param addresses where each protocol is spoken
     * @param memory    where the native one is spoken through shared memory; null for nowhere
     * @param security  who gets in
     * @param schemas   compares the records of clients with those of the service
     * @param limits    of all gateways together
     * @param input     takes the commands; it has to be one for many publishers if there are several gateways
     * @param output    brings the answers
     * @param pollers   take them from there, each for one gateway
     * @param processed moved by the logic, by one for each message that went into {@code input}
     * @param times     tells how long they take there; null if that is not measured
     * @param pressure  hears how full it is, from the first gateway
     * @param report    takes what an operator should know; from any gateway's thread
     * @throws IOException if an address cannot be bound; the message names it
     */
    public Gateways(
            Host host,
            Map<Protocol, InetSocketAddress> addresses,
            @Nullable Path memory,
            GatewaySecurity security,
            ClientSchemas schemas,
            GatewayLimits limits,
            FrameRing input,
            FrameRing output,
            List<FramePoller> pollers,
            Sequence processed,
            @Nullable CommandTimes times,
            Pressure pressure,
            Consumer<String> report)
            throws IOException {
        this.host = host;
        this.security = security;
        this.schemas = schemas;
        this.limits = limits.share(pollers.size());
        this.input = input;
        this.output = output;
        this.times = times;
        this.memory = memory;
        this.report = report;
        this.inflows = Inflow.of(pollers.size(), processed);
        try {
            for (int i = 0; i < pollers.size(); i++) {
                all.add(new Gateway(
                        this, i, pollers.size(), pollers.get(i), inflows.get(i), i == 0 ? pressure : Pressure.UNHEARD));
            }
            this.reception = Reception.open(this, addresses, memory, first().selector(), this::welcome);
            first().receives(reception);
        } catch (IOException | RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    /** Checks that nobody listens on {@code address}; an {@link IOException} names it. */
    public static void requireFree(Host host, InetSocketAddress address) throws IOException {
        Listener.bind(host, address, 1).close();
    }

    /** Returns the one that accepts; where there is one thread for gateway and logic, it is the only one. */
    public Gateway first() {
        return all.getFirst();
    }

    /** Returns all of them, the first one first. */
    public List<Gateway> all() {
        return List.copyOf(all);
    }

    /** Returns the port where {@code protocol} is spoken. */
    public int port(Protocol protocol) {
        return reception.port(protocol);
    }

    /** Returns how many bytes of memory the connections hold for what was read or is to be written. */
    public long connectionBytes() {
        return sum(Gateway::connectionBytes);
    }

    /** Returns how many clients are connected, those among them that are on their way to their gateway; any thread. */
    public long connections() {
        // First, so that there are never fewer than none.
        long closed = sum(each -> each.closed().getAcquire());
        return welcomed.getAcquire() - closed;
    }

    /** Returns how many messages went into the input ring. */
    public long accepted() {
        return inflows.getFirst().total();
    }

    /** Returns how many messages wait, of all gateways. */
    public long waiting() {
        return first().waiting().getAcquire();
    }

    /** Returns how many may wait, of all gateways together: see {@link Gateway#allowed}. */
    public long allowed() {
        return first().allowed().getAcquire();
    }

    /** Returns how full it is. */
    public PressureGauge.Level level() {
        return first().level();
    }

    /** Returns how many commands were refused. */
    public long refused() {
        return sum(each -> each.refused().getAcquire());
    }

    /** Returns how many requests were refused while there was room, because they can be done without. */
    public long shed() {
        return sum(each -> each.shed().getAcquire());
    }

    /** Returns how many clients have logged in. */
    public long logins() {
        return sum(each -> each.logins().getAcquire());
    }

    /** Returns how many logins and requests were refused for want of credentials or rights. */
    public long denied() {
        return sum(each -> each.denied().getAcquire());
    }

    /** From now on no command is taken any more, because the service is about to close. */
    public void refuseAll() {
        all.forEach(Gateway::refuseAll);
    }

    /** Returns whether that has taken effect: whatever was not accepted by now never will be. */
    public boolean refusesAll() {
        for (Gateway each : all) {
            if (!each.refusesAll()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether one of them takes no outputs any more, so that these go nowhere once their ring is full. */
    public boolean isStopped() {
        for (Gateway each : all) {
            if (each.isStopped()) {
                return true;
            }
        }
        return false;
    }

    /** Ends all of them, if their threads have not; none may run. */
    public void stop() throws IOException {
        IOException failed = null;
        for (Gateway each : all) {
            try {
                each.onStop();
            } catch (IOException e) {
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** Asks all gateways but {@code asking} to close the connection of a session; returns whether there are any. */
    boolean closeElsewhere(Gateway asking, long session) {
        for (Gateway each : all) {
            if (each != asking) {
                each.ask(() -> each.close(session));
            }
        }
        return all.size() > 1;
    }

    private void welcome(SocketChannel channel, Listener at) {
        welcomed.setRelease(welcomed.getPlain() + 1);
        boolean isOneTooMany = connections() > limits.maxConnections();
        Gateway next = all.get(turn);
        turn = turn + 1 == all.size() ? 0 : turn + 1;
        if (next == first()) {
            next.take(channel, at, isOneTooMany);
        } else {
            next.ask(() -> next.take(channel, at, isOneTooMany));
        }
    }

    private long sum(ToLongFunction<Gateway> figure) {
        long sum = 0;
        for (int i = 0; i < all.size(); i++) {
            sum += figure.applyAsLong(all.get(i));
        }
        return sum;
    }
}
