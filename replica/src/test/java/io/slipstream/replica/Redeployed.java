package io.slipstream.replica;

import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;

/** A program in a container: a primary, its backup and a client, which end without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (Opened opened = new Opened()) {
            BackupSite backup = opened.add(BackupSite.start(
                    ServiceConfig.in(folder.resolve("backup")).withJournal(PairOfSites.process()),
                    PairOfSites.config(0),
                    new Sum()));
            JournalPush push = new JournalPush(
                    PushConfig.of(folder.resolve("primary"), PairOfSites.address(backup.port()), PairOfSites.TOKEN)
                            .withLevel(PushLevel.BACKUP));
            Service service = opened.add(Service.start(
                    ServiceConfig.in(folder.resolve("primary"))
                            .withJournal(PairOfSites.process())
                            .withMaxResponseTime(PairOfSites.LONG)
                            .withLogGate(push),
                    new Sum()));
            ServiceClient client = opened.add(TestClients.connect(service.port()));
            PairOfSites.send(client, 1, 200);
        }
    }
}
