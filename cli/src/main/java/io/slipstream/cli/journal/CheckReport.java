package io.slipstream.cli.journal;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.json.Json;
import io.slipstream.service.testing.ReplayCheck.Diverged;
import io.slipstream.service.testing.ReplayCheck.Proof;
import io.slipstream.service.testing.ReplayCheck.Result;
import org.jspecify.annotations.Nullable;

/** What {@code journal check --json} prints. What does not belong to its kind is left out. */
record CheckReport(
        String kind,
        long after,
        @Optional @Nullable Long last,
        @Optional @Nullable Long proven,
        @Optional @Nullable String stateHash,
        @Optional @Nullable Long checks,
        @Optional @Nullable Long snapshots,
        @Optional @Nullable Long failures,
        @Optional @Nullable Long upTo,
        @Optional @Nullable String text) {
    private static final Json<CheckReport> JSON = Json.of(CheckReport.class);

    static String json(Result result) {
        return JSON.write(
                switch (result) {
                    case Proof proof ->
                        new CheckReport(
                                "proof",
                                proof.after(),
                                proof.last(),
                                proof.proven(),
                                Long.toHexString(proof.stateHash()),
                                proof.checks(),
                                proof.snapshots(),
                                proof.failures(),
                                null,
                                null);
                    case Diverged diverged ->
                        new CheckReport(
                                "diverged",
                                diverged.after(),
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                diverged.upTo(),
                                diverged.text());
                });
    }
}
