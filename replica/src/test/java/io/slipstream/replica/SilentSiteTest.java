package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.SiteClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilentSiteTest {
    @Test
    void whoAsksIsToldThatItDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
            SiteClient client =
                    new SiteClient(BackupConfig.of(address, "the token of both").withSilence(Duration.ofSeconds(1)));
            assertThatThrownBy(client::status)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the backup site at " + address + " does not answer");
            assertThatThrownBy(client::promote)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the backup site at " + address
                            + " does not answer; it may take over nevertheless: ask for its status");
        }
    }
}
