package io.slipstream.service.typed;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Since;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.nio.file.Path;

/** A command in versions that agree and disagree, and the service that takes it. */
final class PayVersions {
    interface First {
        enum Side {
            BUY,
            SELL
        }

        record Pay(long account, Side side) implements Command<Done> {}
    }

    /** The header of its commands is that of the first. */
    interface Turned {
        enum Side {
            SELL,
            BUY
        }

        record Pay(long account, Side side) implements Command<Done> {}
    }

    interface Later {
        record Pay(
                long account,
                First.Side side,
                @Since(2) @Default("EUR") String currency) implements Command<Done> {}
    }

    record Refund(long account) implements Command<Done> {}

    private PayVersions() {}

    static ServiceConfig config(Path directory) {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }
}
