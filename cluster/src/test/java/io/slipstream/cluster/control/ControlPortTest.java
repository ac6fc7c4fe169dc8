package io.slipstream.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlPortTest {
    private static final String TOKEN = "a token of operators";

    private final MemberAddress member = new MemberAddress(0, "127.0.0.1", Ports.block(MemberAddress.PORTS));
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    private ControlPort port(@Nullable String token) throws IOException {
        return new ControlPort(
                new InetSocketAddress("127.0.0.1", member.controlPort()),
                token,
                line -> {
                    heard.add(line);
                    return line.equals("transfer") ? "leader 2" : "no: it was " + line;
                },
                (out, key) -> {});
    }

    @Test
    void hearsOnlyOperatorsWhoKnowTheToken() throws IOException {
        try (ControlPort port = port(TOKEN)) {
            assertThat(port).isNotNull();
            assertThatThrownBy(() -> new ControlClient(null).transfer(member))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the control token is wrong, or was not given");
            assertThatThrownBy(() -> new ControlClient("another token").snapshot(member))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the control token is wrong, or was not given");
            assertThat(heard).isEmpty();
            assertThat(new ControlClient(TOKEN).transfer(member)).isEqualTo(2);
            assertThat(heard).containsExactly("transfer");
        }
    }

    @Test
    void hearsEverybodyIfThereIsNoToken() throws IOException {
        try (ControlPort port = port(null)) {
            assertThat(port).isNotNull();
            assertThat(new ControlClient(TOKEN).transfer(member)).isEqualTo(2);
            assertThatThrownBy(() -> new ControlClient(null).snapshot(member)).hasMessageContaining("it was snapshot");
        }
    }

    @Test
    void readsNoLineWithoutAnEnd() throws IOException {
        try (ControlPort port = port(null);
                Socket endless = new Socket(InetAddress.getLoopbackAddress(), member.controlPort())) {
            assertThat(port).isNotNull();
            byte[] many = new byte[1 << 16];
            OutputStream out = endless.getOutputStream();
            // It is closed while this is still being written, long before a machine without memory.
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1 << 12; i++) {
                            out.write(many);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void isReachedWhileManyConnectWhoSayNothing() throws IOException {
        List<Socket> idle = new ArrayList<>();
        try (ControlPort port = port(null)) {
            assertThat(port).isNotNull();
            for (int i = 0; i < 200; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), member.controlPort()));
            }
            assertThat(new ControlClient(null).transfer(member)).isEqualTo(2);
            InputStream oldest = idle.getFirst().getInputStream();
            // Its challenge, and then the end.
            assertThat(oldest.readAllBytes()).hasSizeLessThan(100);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }
}
