package io.slipstream.benchmarks.ipc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * One process of a contest: for each line with a number it does its part of a round of so many messages, and says what
 * came out.
 */
final class PartProcess {
    private static final int SPINS = 100;

    private final BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    private final boolean yields;

    private PartProcess(boolean yields) {
        this.yields = yields;
    }

    /** Arguments: system, role, folder, bytes of a message, publishers. */
    public static void main(String[] arguments) throws Exception {
        int bytes = Integer.parseInt(arguments[3]);
        int publishers = Integer.parseInt(arguments[4]);
        PartProcess part = new PartProcess(arguments[1].endsWith("publisher") || arguments[1].equals("subscriber"));
        try (Link link = Link.open(arguments[0], Path.of(arguments[2]))) {
            switch (arguments[1]) {
                case "publisher" -> part.publish(link.sender(1, bytes));
                case "subscriber" -> part.subscribe(link.receiver(1, bytes), publishers);
                case "ping" -> part.ping(link, bytes);
                case "pong" -> part.pong(link, bytes);
                case "stalled" -> {
                    link.receiver(1, bytes);
                    part.nextRound();
                }
                case "holder" -> {
                    link.hold(1, bytes);
                    part.nextRound();
                }
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        }
    }

    private long nextRound() throws IOException {
        System.out.println("ready");
        String line = orders.readLine();
        return line == null ? 0 : Long.parseLong(line);
    }

    private int pause(int idle) {
        if (idle < SPINS || !yields) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return Math.min(idle + 1, SPINS);
    }

    private void send(Link.Sender sender, long number) throws Exception {
        for (int idle = 0; !sender.send(number); ) {
            idle = pause(idle);
        }
    }

    private void receive(Link.Receiver receiver, long count) throws Exception {
        int idle = 0;
        for (long left = count; left > 0; ) {
            int read = receiver.poll();
            left -= read;
            idle = read > 0 ? 0 : pause(idle);
        }
    }

    private void publish(Link.Sender sender) throws Exception {
        for (long count; (count = nextRound()) > 0; ) {
            for (long number = 0; number < count; number++) {
                send(sender, number);
            }
        }
    }

    private void subscribe(Link.Receiver receiver, int publishers) throws Exception {
        for (long count; (count = nextRound()) > 0; ) {
            long before = receiver.sum();
            receive(receiver, count * publishers);
            if (receiver.sum() - before != count * (count - 1) * publishers) {
                throw new IllegalStateException("the messages are not those that were sent");
            }
            System.out.println("done");
        }
    }

    private void ping(Link link, int bytes) throws Exception {
        Link.Receiver back = link.receiver(2, bytes);
        Link.Sender there = link.sender(1, bytes);
        for (long count; (count = nextRound()) > 0; ) {
            long[] nanos = new long[(int) count];
            for (int i = 0; i < count; i++) {
                long begin = System.nanoTime();
                send(there, i);
                receive(back, 1);
                nanos[i] = System.nanoTime() - begin;
            }
            Arrays.sort(nanos);
            System.out.println("done " + nanos[nanos.length / 2] + " " + nanos[(int) (nanos.length * 0.999)]);
        }
    }

    private void pong(Link link, int bytes) throws Exception {
        Link.Receiver from = link.receiver(1, bytes);
        Link.Sender back = link.sender(2, bytes);
        for (long count; (count = nextRound()) > 0; ) {
            for (long i = 0; i < count; i++) {
                receive(from, 1);
                send(back, i);
            }
        }
    }
}
