package io.slipstream.architecture;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Members;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.service.ServiceConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Properties;

/** Settings of what is small and soon made. */
public final class Small {
    /** Of nobody: it is not looked up. */
    public static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("localhost", 1);

    private Small() {}

    public static JournalConfig journal() {
        return JournalConfig.at(Durability.NONE).withSegmentBytes(16 << 10);
    }

    public static ChannelSettings channel() {
        return ChannelSettings.onePublisher(1 << 16);
    }

    public static ServiceConfig service(Path folder) {
        return ServiceConfig.in(folder);
    }

    public static ClusterConfig cluster(Path folder) {
        Properties members = new Properties();
        for (int id = 0; id < 3; id++) {
            members.setProperty("member." + id, "localhost:" + (7_500 + 10 * id));
        }
        return ClusterConfig.of(Members.of(members), 0, service(folder));
    }

    public static PushConfig push(Path folder) {
        return PushConfig.of(folder, ADDRESS, "a secret");
    }
}
