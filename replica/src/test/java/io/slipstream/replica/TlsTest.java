package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TlsTest extends PairOfSites {
    private static final byte TLS_ALERT = 21;

    @Test
    void pushesByTlsAndTrustsNoOtherAuthorityAndNoPlainPeer() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path authority = certificates.authority("ours");
        Path site = certificates.signed("site", "ours", 1, 10);
        Path other = certificates.authority("theirs");
        Tls server = Tls.server(site, certificates.key("site"));
        try (BackupSite backup = BackupSite.start(secondary(), config(0).withTls(server), new Sum())) {
            JournalPush push = new JournalPush(
                    push(address(backup.port())).withLevel(PushLevel.BACKUP).withTls(Tls.client(authority)));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(service.port())) {
                send(client, 1, 1_000);
                assertThat(new SiteClient(config(backup.port()).withTls(Tls.client(authority)))
                                .status()
                                .received())
                        .isGreaterThan(1_000);
            }
            assertThatThrownBy(() -> new SiteClient(config(backup.port()).withTls(Tls.client(other))).status())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("certif");
            assertThat(answerToPlain(backup.port()))
                    .satisfiesAnyOf(
                            said -> assertThat(said).isEmpty(),
                            said -> assertThat(said).startsWith(TLS_ALERT));
            JournalPush trusting = new JournalPush(push(address(backup.port())).withTls(Tls.client(other)));
            assertThatThrownBy(() -> Service.start(primary().withLogGate(trusting), new Sum()))
                    .hasMessageContaining("could not be asked");
        }
        assertPrefix();
    }

    /** Returns all that a site says to a peer without TLS until it closes: a plain site would challenge it. */
    private static byte[] answerToPlain(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            socket.getOutputStream().write(new byte[64]);
            return socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // Reset: the site has left unread what it could not understand.
            return new byte[0];
        }
    }
}
