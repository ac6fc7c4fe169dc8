package io.slipstream.keyvalue;

import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Opened;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A program in a container: a store, asked as Redis is, which ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Opened opened = new Opened()) {
            RespProtocol protocol = new RespProtocol();
            Service service = opened.add(Service.start(
                    ServiceConfig.in(Path.of(arguments[0]))
                            .withAddress(any)
                            .withMaxResponseTime(Duration.ofMinutes(1))
                            .withProtocol(protocol, any),
                    KeyValueStore::new));
            try (Socket socket = new Socket(any.getAddress(), service.port(protocol))) {
                socket.getOutputStream().write("SET a 1\nEXPIRE a 100\nGET a\n".getBytes(StandardCharsets.US_ASCII));
                String said = new String(socket.getInputStream().readNBytes(16), StandardCharsets.US_ASCII);
                if (!said.equals("+OK\r\n:1\r\n$1\r\n1\r\n")) {
                    throw new IllegalStateException(said);
                }
            }
        }
    }
}
