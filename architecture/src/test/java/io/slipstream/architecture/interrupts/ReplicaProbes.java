package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.site.Site;
import io.slipstream.service.ServiceConfig;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a call of {@code replica} needs. */
final class ReplicaProbes {
    private ReplicaProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(
                BackupConfig.class,
                values -> BackupConfig.of(values.of(InetSocketAddress.class), InterruptProbes.SECRET));
        probes.made(
                BackupSite.class,
                values -> BackupSite.start(values.of(ServiceConfig.class), values.of(BackupConfig.class), new Bank()));
        probes.works(BackupSite.class, site -> assertThat(site.report()).isNotNull());
        probes.made(
                PushConfig.class, values -> PushConfig.of(values.newPath(), aBackup(values), InterruptProbes.SECRET));
        probes.given(BackupSite.class, "serve", BackupSite.class, values -> {
            BackupSite site = values.of(BackupSite.class);
            site.promote();
            return site;
        });
        probes.given(SiteClient.class, "query", byte[].class, values -> ServiceProbes.aQuery());
        probes.given(Site.class, Path.class, values -> Files.createDirectory(values.newPath()));
        probes.made(
                SiteClient.class, values -> new SiteClient(BackupConfig.of(aBackup(values), InterruptProbes.SECRET)));
    }

    /** Each has one of its own: one that was promoted is a backup no more. */
    private static InetSocketAddress aBackup(Values values) throws Exception {
        return new InetSocketAddress("127.0.0.1", values.of(BackupSite.class).port());
    }
}
