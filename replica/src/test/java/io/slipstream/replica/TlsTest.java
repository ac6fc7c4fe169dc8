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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TlsTest extends PairOfSites {
    @Test
    void pushesByTlsAndTrustsNoOtherAuthorityAndNoPlainPeer() throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        Path authority = certificates.authority("ours");
        Path site = certificates.signed("site", "ours", 1, 10);
        Path other = certificates.authority("theirs");
        Tls server = Tls.server(site, certificates.key("site"));
        try (BackupSite backup = BackupSite.start(secondary(), config(0).withTls(server), new Sum())) {
            JournalPush push = new JournalPush(
                    push(address(backup.port())).withLevel(PushLevel.BACKUP).withTls(Tls.client(authority)));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
                send(client, 1, 1_000);
                assertThat(new SiteClient(config(backup.port()).withTls(Tls.client(authority)))
                                .status()
                                .received())
                        .isGreaterThan(1_000);
            }
            assertThatThrownBy(() -> new SiteClient(config(backup.port()).withTls(Tls.client(other))).status())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("certif");
            assertThatThrownBy(() -> new SiteClient(config(backup.port()).withSilence(Duration.ofSeconds(1))).status())
                    .isInstanceOf(IOException.class);
            JournalPush trusting = new JournalPush(push(address(backup.port())).withTls(Tls.client(other)));
            assertThatThrownBy(() -> Service.start(primary().withLogGate(trusting), new Sum()))
                    .hasMessageContaining("could not be asked");
        }
        assertPrefix();
    }
}
