package io.slipstream.benchmarks.ipc;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.util.List;

/**
 * How long the others are held up by a process that was killed, in milliseconds: from the signal to the next message
 * that goes through.
 */
final class DeathContest implements Contest {
    /** Who dies. */
    enum Victim {
        /** One of two subscribers: it has stopped reading, so that the ring is full. */
        SUBSCRIBER("stalled", "slipstream", "aeron-claim"),

        /** One of two publishers, between claim and publication. */
        PUBLISHER("holder", "slipstream-many", "aeron-shared");

        private final String role;
        private final String ours;
        private final String peer;

        Victim(String role, String ours, String peer) {
            this.role = role;
            this.ours = ours;
            this.peer = peer;
        }
    }

    private static final int BYTES = 64;
    private static final int FULL = 100_000;

    private final Victim victim;

    DeathContest(Victim victim) {
        this.victim = victim;
    }

    @Override
    public double ours() throws Exception {
        return round(victim.ours);
    }

    @Override
    public double peer() throws Exception {
        return round(victim.peer);
    }

    private double round(String system) throws Exception {
        if (victim == Victim.SUBSCRIBER) {
            return killedSubscriber(system);
        }
        return killedPublisher(system);
    }

    private static double killedSubscriber(String system) throws Exception {
        try (Parts parts = new Parts(system, List.of(Victim.SUBSCRIBER.role), BYTES);
                Link link = Link.open(system, parts.folder())) {
            // Without it an Aeron publication that has lost its last subscriber would never go on.
            Link.Receiver other = link.receiver(1, BYTES);
            Link.Sender sender = link.sender(1, BYTES);
            // Until there has been no room for long; a connection takes its time.
            long number = 0;
            for (int refusals = 0; number == 0 || refusals < FULL; ) {
                other.poll();
                if (sender.send(number)) {
                    number++;
                    refusals = 0;
                } else {
                    refusals++;
                }
            }
            long begin = System.nanoTime();
            parts.kill();
            while (!sender.send(number)) {
                other.poll();
            }
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    /** Whoever reads comes first, so that the claim is before its eyes. */
    private static double killedPublisher(String system) throws Exception {
        try (Parts parts = new Parts(system, List.of(), BYTES);
                Link link = Link.open(system, parts.folder())) {
            Link.Receiver receiver = link.receiver(1, BYTES);
            Link.Sender sender = link.sender(1, BYTES);
            parts.add(system, Victim.PUBLISHER.role, BYTES);
            while (!sender.send(1)) {
                Thread.onSpinWait();
            }
            if (receiver.poll() != 0) {
                throw new IOException("the claim did not hold up the message behind it");
            }
            long begin = System.nanoTime();
            parts.kill();
            while (receiver.poll() == 0) {
                Thread.onSpinWait();
            }
            return (System.nanoTime() - begin) / 1e6;
        }
    }
}
