package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Crew;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** This process receives what another one, a {@link MulticastSender}, sends; the rounds share both. */
final class MulticastProcesses implements Workload {
    private static final String GROUP = "239.255.17.12";
    private static final int REMEMBERED = 1 << 16;
    private static final int LAST_MILLIS = 100;

    private final int intervals;
    private final long nanos;
    private final boolean isPinned;
    private final MulticastSocket socket;
    private final Process sender;
    private final OutputStream orders;
    private final BufferedReader answers;
    private final DatagramPacket packet = new DatagramPacket(new byte[MulticastSender.BYTES], MulticastSender.BYTES);
    private final ByteBuffer message = ByteBuffer.wrap(packet.getData());
    private final long[] seen = new long[REMEMBERED];

    MulticastProcesses(int intervals, long nanos, boolean isPinned) throws IOException {
        this.intervals = intervals;
        this.nanos = nanos;
        this.isPinned = isPinned;
        NetworkInterface device = device();
        socket = new MulticastSocket(0);
        try {
            socket.joinGroup(new InetSocketAddress(InetAddress.getByName(GROUP), 0), device);
        } catch (IOException e) {
            socket.close();
            throw new Unavailable(
                    "joining a multicast group on " + device.getName() + " is not allowed here: " + e.getMessage());
        }
        sender = new ProcessBuilder(command(device))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        orders = sender.getOutputStream();
        answers = sender.inputReader(StandardCharsets.UTF_8);
    }

    private List<String> command(NetworkInterface device) {
        List<String> command = new ArrayList<>();
        if (isPinned) {
            command.addAll(List.of("taskset", "-c", String.valueOf(Pinning.cpu(1))));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                classes(),
                MulticastSender.class.getName(),
                GROUP,
                String.valueOf(socket.getLocalPort()),
                device.getName(),
                String.valueOf(intervals),
                String.valueOf(nanos)));
        return command;
    }

    private static String classes() {
        try {
            return Path.of(MulticastSender.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot tell where the lab was loaded from", e);
        }
    }

    private static NetworkInterface device() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(MulticastProcesses::isUsable)
                    .min(Comparator.comparing(device -> !device.getName().startsWith("dummy")))
                    .orElseThrow(() -> new Unavailable("no network interface here is up and can multicast"));
        } catch (IOException e) {
            throw new Unavailable("no network interface can be seen here: " + e.getMessage());
        }
    }

    private static boolean isUsable(NetworkInterface device) {
        try {
            return device.isUp()
                    && device.supportsMulticast()
                    && device.inetAddresses().anyMatch(a -> a.getAddress().length == 4);
        } catch (IOException e) {
            return false;
        }
    }

    /** On a thread of its own, which is the one that is pinned. */
    @Override
    public void run(Round round) throws Exception {
        Crew.run(1, member -> {
            if (isPinned) {
                Pinning.currentThread(Pinning.cpu(0));
            }
            exchange(round);
        });
    }

    /** Has the other process send for a round, and counts what arrives. */
    private void exchange(Round round) throws IOException {
        orders.write('\n');
        orders.flush();
        List<Double> rates = receive();
        String answer = answers.readLine();
        if (answer == null || answer.startsWith(MulticastSender.FAILED)) {
            throw new Unavailable("sending multicast datagrams is not possible here: "
                    + (answer == null ? "the sender has ended" : answer));
        }
        if (rates.get(0) == 0) {
            throw new Unavailable("multicast datagrams are sent here, and none arrives");
        }
        Sample received = new Sample(rates);
        Sample sent = new Sample(Stream.of(answer.split(" ", -1))
                .map(count -> Long.parseLong(count) * 1e9 / nanos)
                .toList());
        round.record("messages/s", received.median());
        round.record("sent messages/s", sent.median());
        round.record("unsteadiness %", 100 * received.standardDeviation() / Math.max(1, received.mean()));
        for (int i = 0; i < intervals; i++) {
            round.record("messages/s in an interval", i + 1, rates.get(i));
        }
    }

    /**
     * Messages a second in each interval. Datagrams may be lost, and may overtake each other where the sender moves
     * from one processor to another; none may come twice.
     */
    private List<Double> receive() throws IOException {
        long[] counts = new long[intervals];
        long start = 0;
        socket.setSoTimeout(LAST_MILLIS);
        // A sender that gets no processor for a while is not at its end; whoever has answered has sent all.
        boolean isSent = false;
        while (true) {
            try {
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                if (isSent) {
                    break;
                }
                isSent = answers.ready() || !sender.isAlive();
                continue;
            }
            long now = System.nanoTime();
            start = start == 0 ? now : start;
            note(message.getLong(0));
            int interval = (int) Math.min(intervals, (now - start) / nanos);
            if (interval < intervals) {
                counts[interval]++;
            }
        }
        List<Double> rates = new ArrayList<>();
        for (long count : counts) {
            rates.add(count * 1e9 / nanos);
        }
        return rates;
    }

    private void note(long number) {
        int slot = (int) (number % REMEMBERED);
        if (seen[slot] == number + 1) {
            throw new IllegalStateException("datagram " + number + " came twice");
        }
        seen[slot] = number + 1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        orders.close();
        sender.destroy();
        try {
            if (!sender.waitFor(2, TimeUnit.SECONDS)) {
                sender.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
