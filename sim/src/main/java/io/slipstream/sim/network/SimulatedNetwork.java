package io.slipstream.sim.network;

import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.net.BindException;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sockets without a system below them. Bytes arrive in order or not at all, as those of TCP do, but late, in pieces of
 * any size, and up to any byte before the connection is lost.
 */
public final class SimulatedNetwork {
    private static final int FIRST_FREE_PORT = 40_000;

    private final Schedule schedule;
    private final Chance chance;
    private final TreeMap<Integer, SimulatedServer> servers = new TreeMap<>();
    private final List<SimulatedSocket> sockets = new ArrayList<>();
    private NetworkFaults faults = NetworkFaults.NONE;
    private BiFunction<String, byte[], byte[]> twist = (sender, bytes) -> bytes;
    private long partitionedUntil;
    private long partitionedToUntil;
    private long partitionedFromUntil;
    /* Until when nothing goes to who listens there, or comes from there. */
    private final Map<Integer, Long> cutToUntil = new HashMap<>();
    private final Map<Integer, Long> cutFromUntil = new HashMap<>();
    /* Who has listened there last, by name; and whose machines have no power. */
    private final Map<Integer, String> owners = new HashMap<>();
    private final Set<String> off = new HashSet<>();
    private int nextPort = FIRST_FREE_PORT;
    private int nextId = 1;

    /** Creates a network in which nothing is lost. */
    public SimulatedNetwork(Schedule schedule) {
        this.schedule = schedule;
        this.chance = schedule.chance("network");
    }

    /** Returns what gives sockets to {@code node}. */
    public SelectorProvider provider(Node node) {
        return new SimulatedProvider(this, node);
    }

    /** Sets what goes wrong from now on, also on the connections that there are. */
    public void setFaults(NetworkFaults newFaults) {
        faults = newFaults;
        // Whoever found no room may find some now.
        sockets.forEach(socket -> socket.node().wake());
    }

    /**
     * Lets something change what is written before it is sent, so that a broken service or client can be imitated.
     *
     * @param newTwist gets the name of the sender and the bytes, and returns those to send
     */
    public void twist(BiFunction<String, byte[], byte[]> newTwist) {
        twist = newTwist;
    }

    /** Lets nothing through for so long; what was sent meanwhile arrives afterwards. */
    public void partition(long nanos) {
        partitionedUntil = Math.max(partitionedUntil, schedule.nanos() + nanos);
    }

    /** Lets nothing through in one direction for so long: to those who listen, or from them. */
    public void partition(long nanos, boolean toListeners) {
        if (toListeners) {
            partitionedToUntil = Math.max(partitionedToUntil, schedule.nanos() + nanos);
        } else {
            partitionedFromUntil = Math.max(partitionedFromUntil, schedule.nanos() + nanos);
        }
    }

    /** Lets nothing through for so long that goes to who listens on {@code port}, or nothing that comes from there. */
    public void partition(int port, long nanos, boolean toListener) {
        (toListener ? cutToUntil : cutFromUntil).merge(port, schedule.nanos() + nanos, Long::max);
    }

    /** Ends all partitions. */
    public void heal() {
        partitionedUntil = 0;
        partitionedToUntil = 0;
        partitionedFromUntil = 0;
        cutToUntil.clear();
        cutFromUntil.clear();
    }

    /** Returns how many sockets are open. */
    public int openSockets() {
        return sockets.size();
    }

    /**
     * Loses one of the connections, with what is under way on it.
     *
     * @param halfOpen whether only one side notices
     * @return whether there was one
     */
    public boolean cutOne(boolean halfOpen) {
        if (sockets.isEmpty()) {
            return false;
        }
        SimulatedSocket victim = sockets.get(chance.random().nextInt(sockets.size()));
        SimulatedSocket peer = victim.peer();
        victim.reset();
        if (peer != null && !halfOpen) {
            peer.reset();
        }
        return true;
    }

    /** Loses all connections, and all ends know. Returns whether there was one. */
    public boolean cutAll() {
        List.copyOf(sockets).forEach(SimulatedSocket::reset);
        return !sockets.isEmpty();
    }

    /**
     * Loses all connections where they were made from. What was sent there still arrives, perhaps behind what comes on
     * a later connection, and then the other ends know as well.
     */
    public void loseAll() {
        List.copyOf(sockets).stream().filter(each -> !each.isAccepted()).forEach(SimulatedSocket::reset);
    }

    /** The process of {@code node} has died: the system below it closes its sockets. */
    public void kill(Node node) {
        for (SimulatedSocket socket : List.copyOf(sockets)) {
            if (socket.node() == node) {
                socket.orphan(true);
            }
        }
        servers.values().removeIf(server -> server.node() == node);
    }

    /** The machine of {@code node} has lost its power: nobody is told. */
    public void powerOff(Node node) {
        for (SimulatedSocket socket : List.copyOf(sockets)) {
            if (socket.node() == node) {
                socket.orphan(false);
            }
        }
        servers.values().removeIf(server -> server.node() == node);
        off.add(node.name());
    }

    /**
     * The machine of {@code node} is gone for good, without a word: what is sent there is neither taken nor refused.
     * Returns whether it had a connection.
     */
    public boolean vanish(Node node) {
        boolean had = false;
        for (SimulatedSocket socket : List.copyOf(sockets)) {
            if (socket.node() == node) {
                had |= socket.vanish();
            }
        }
        return had;
    }

    /** Returns how many connections are kept open for machines that have said something, and are gone for good. */
    public long deafEnds() {
        return sockets.stream().filter(SimulatedSocket::isDeaf).count();
    }

    /** Returns how many sockets there have ever been. */
    public int sockets() {
        return nextId - 1;
    }

    /** The machine of that name has power again; it knows nothing of former connections. */
    public void powerOn(String name) {
        off.remove(name);
    }

    Chance chance() {
        return chance;
    }

    Schedule schedule() {
        return schedule;
    }

    NetworkFaults faults() {
        return faults;
    }

    byte[] twisted(String sender, byte[] bytes) {
        return twist.apply(sender, bytes);
    }

    boolean isPartitioned(int port, boolean toListener) {
        long until = Math.max(partitionedUntil, toListener ? partitionedToUntil : partitionedFromUntil);
        Map<Integer, Long> cut = toListener ? cutToUntil : cutFromUntil;
        return schedule.nanos() < Math.max(until, cut.isEmpty() ? 0 : cut.getOrDefault(port, 0L));
    }

    /** Returns whether the machine that has listened there has no power. */
    boolean isOff(int port) {
        return !off.isEmpty() && isOff(owners.getOrDefault(port, ""));
    }

    boolean isOff(String name) {
        return off.contains(name);
    }

    int nextId() {
        return nextId++;
    }

    int bind(SimulatedServer server, int port) throws BindException {
        int bound = port == 0 ? nextPort++ : port;
        if (servers.putIfAbsent(bound, server) != null) {
            throw new BindException("Address already in use");
        }
        owners.put(bound, server.node().name());
        return bound;
    }

    void unbind(SimulatedServer server) {
        servers.values().remove(server);
    }

    @Nullable
    SimulatedServer server(int port) {
        return servers.get(port);
    }

    void opened(SimulatedSocket socket) {
        sockets.add(socket);
    }

    void closed(SimulatedSocket socket) {
        sockets.remove(socket);
    }
}
