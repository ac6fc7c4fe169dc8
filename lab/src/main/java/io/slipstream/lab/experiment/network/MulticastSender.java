package io.slipstream.lab.experiment.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The main program of the process that sends: {@code GROUP PORT DEVICE INTERVALS NANOS}. For each line that it is given
 * it sends for so many intervals, and answers with how many datagrams it sent in each; {@code failed}, and why, where
 * it could not. Ends with its input, and so with its parent. Needs the JDK alone.
 */
public final class MulticastSender {
    static final int BYTES = 64;
    static final String FAILED = "failed ";

    private MulticastSender() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        InetSocketAddress group = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByName(args[2]));
            // Never leaves the machine.
            channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
            Sending sending = new Sending(channel, group);
            while (in.readLine() != null) {
                long[] sent = sending.send(Integer.parseInt(args[3]), Long.parseLong(args[4]));
                out.println(LongStream.of(sent).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
            }
        } catch (IOException e) {
            out.println(FAILED + e.getMessage());
        }
    }

    private static final class Sending {
        private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        private final DatagramChannel channel;
        private final InetSocketAddress group;
        private long number;

        Sending(DatagramChannel channel, InetSocketAddress group) {
            this.channel = channel;
            this.group = group;
        }

        long[] send(int intervals, long nanos) throws IOException {
            long[] sent = new long[intervals];
            for (int i = 0; i < intervals; i++) {
                long start = System.nanoTime();
                while (System.nanoTime() - start < nanos) {
                    message.clear().putLong(0, number++);
                    channel.send(message, group);
                    sent[i]++;
                }
            }
            return sent;
        }
    }
}
