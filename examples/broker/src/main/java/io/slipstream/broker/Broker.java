package io.slipstream.broker;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Starts the three processes for each transport, and prints what the consumer has seen: messages a second, and the time
 * of one on its way.
 */
public final class Broker {
    private static final int NUMBER_AT = 0;
    private static final int SENT_AT = 8;
    private static final int PASSED_AT = 16;
    private static final int TIMED = 20_000;
    private static final long PACE_NANOS = 20_000;

    private Broker() {}

    /** Arguments: messages; or those of one part. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1) {
            part(arguments[0], arguments[1], Path.of(arguments[2]), Long.parseLong(arguments[3]));
            return;
        }
        long messages = arguments.length == 0 ? 10_000_000 : Long.parseLong(arguments[0]);
        System.out.println(run("tcp", messages));
        System.out.println(run("memory", messages));
    }

    /**
     * Runs the three processes; returns what the consumer says, such as
     * {@code memory: 11.20 million messages/s; on the way, ...}.
     *
     * @param transport {@code tcp} or {@code memory}
     * @param messages  sent as fast as they go, before those that are timed
     */
    public static String run(String transport, long messages) throws IOException, InterruptedException {
        Path memory = Path.of("/dev/shm");
        Path folder = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "broker-")
                : Files.createTempDirectory("broker-");
        List<Process> parts = new ArrayList<>();
        try {
            for (String role : List.of("consumer", "broker", "client")) {
                parts.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Broker.class.getName(),
                                transport,
                                role,
                                folder.toString(),
                                "" + messages)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            try (BufferedReader said = parts.getFirst().inputReader()) {
                return transport + ": " + said.readLine();
            }
        } finally {
            for (Process part : parts) {
                part.destroyForcibly().waitFor();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void part(String transport, String role, Path folder, long messages) throws IOException {
        switch (role) {
            case "client" -> {
                try (Transport broker = sender(transport, folder, "orders")) {
                    client(broker, messages);
                }
            }
            case "broker" -> {
                try (Transport orders = receiver(transport, folder, "orders");
                        Transport consumer = sender(transport, folder, "fills")) {
                    broker(orders, consumer, messages);
                }
            }
            default -> {
                try (Transport fills = receiver(transport, folder, "fills")) {
                    System.out.println(consumer(fills, messages));
                }
            }
        }
    }

    private static Transport sender(String transport, Path folder, String name) throws IOException {
        return transport.equals("tcp") ? TcpTransport.sender(folder, name) : MemoryTransport.sender(folder, name);
    }

    private static Transport receiver(String transport, Path folder, String name) throws IOException {
        return transport.equals("tcp") ? TcpTransport.receiver(folder, name) : MemoryTransport.receiver(folder, name);
    }

    /** First as fast as it goes; then one at a time, for the time on the way. */
    private static void client(Transport broker, long messages) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(Transport.MESSAGE_BYTES);
        for (long number = 0; number < messages + TIMED; number++) {
            if (number >= messages) {
                pace();
            }
            message.putLong(NUMBER_AT, number).putLong(SENT_AT, System.nanoTime());
            broker.send(message);
        }
    }

    private static void pace() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < PACE_NANOS) {
            Thread.yield();
        }
    }

    private static void broker(Transport orders, Transport consumer, long messages) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(Transport.MESSAGE_BYTES);
        long[] passed = {0};
        while (passed[0] < messages + TIMED) {
            orders.receive((buffer, at) -> {
                message.putLong(NUMBER_AT, buffer.getLong(at + NUMBER_AT))
                        .putLong(SENT_AT, buffer.getLong(at + SENT_AT));
                message.putLong(PASSED_AT, passed[0]++);
                consumer.send(message);
            });
        }
    }

    private static String consumer(Transport fills, long messages) throws IOException {
        long[] nanos = new long[TIMED];
        long[] state = {0, 0, 0};
        while (state[0] < messages + TIMED) {
            fills.receive((buffer, at) -> {
                long number = buffer.getLong(at + NUMBER_AT);
                if (number != state[0] || buffer.getLong(at + PASSED_AT) != number) {
                    throw new IOException("message " + number + " where " + state[0] + " was due");
                }
                long now = System.nanoTime();
                if (number == 0) {
                    state[1] = now;
                }
                if (number == messages - 1) {
                    state[2] = now;
                }
                if (number >= messages) {
                    nanos[(int) (number - messages)] = now - buffer.getLong(at + SENT_AT);
                }
                state[0]++;
            });
        }
        Arrays.sort(nanos);
        return String.format(
                Locale.ROOT,
                "%.2f million messages/s; on the way, paced: median %.1f us, mean %.1f us, 99 %% %.1f us",
                messages * 1e3 / Math.max(1, state[2] - state[1]),
                nanos[TIMED / 2] / 1e3,
                Arrays.stream(nanos).average().orElse(0) / 1e3,
                nanos[TIMED * 99 / 100] / 1e3);
    }
}
