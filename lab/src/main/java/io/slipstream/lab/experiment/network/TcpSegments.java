package io.slipstream.lab.experiment.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's TCP counters: segments received, those of them that carry nothing but an acknowledgement, and
 * connections opened.
 */
public record TcpSegments(long all, long bareAcks, long opened) {

    /** The counters, or null where the kernel does not show them. */
    public static @Nullable TcpSegments now() {
        try {
            return new TcpSegments(
                    counter("/proc/net/snmp", "Tcp:", "InSegs"),
                    counter("/proc/net/netstat", "TcpExt:", "TCPPureAcks"),
                    counter("/proc/net/snmp", "Tcp:", "ActiveOpens"));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return null;
        }
    }

    public TcpSegments since(TcpSegments start) {
        return new TcpSegments(all - start.all, bareAcks - start.bareAcks, opened - start.opened);
    }

    /** These files have a line of names, then one of values, for each protocol. */
    private static long counter(String file, String protocol, String name) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(file)).stream()
                .filter(l -> l.startsWith(protocol))
                .toList();
        List<String> names = List.of(lines.get(0).split(" ", -1));
        return Long.parseLong(lines.get(1).split(" ", -1)[names.indexOf(name)]);
    }
}
