package io.slipstream.cli.journal;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.json.Json;
import io.slipstream.service.testing.Bisection.Between;
import io.slipstream.service.testing.Bisection.Differs;
import io.slipstream.service.testing.Bisection.Finding;
import io.slipstream.service.testing.Bisection.Same;
import org.jspecify.annotations.Nullable;

/** What {@code journal bisect --json} prints. What does not belong to its kind is left out. */
record BisectReport(
        String kind,
        @Optional @Nullable Long entry,
        @Optional @Nullable String type,
        @Optional @Nullable Long session,
        @Optional @Nullable String time,
        @Optional @Nullable String text,
        @Optional @Nullable String firstHash,
        @Optional @Nullable String secondHash,
        @Optional @Nullable Long after,
        @Optional @Nullable Long upTo,
        @Optional @Nullable Boolean logged) {
    private static final Json<BisectReport> JSON = Json.of(BisectReport.class);

    static String json(Finding finding) {
        return JSON.write(
                switch (finding) {
                    case Same same -> {
                        String hash = Long.toHexString(same.hash());
                        yield new BisectReport(
                                "same", same.entry(), null, null, null, null, hash, hash, null, null, null);
                    }
                    case Differs differs ->
                        new BisectReport(
                                "differs",
                                differs.entry(),
                                differs.type(),
                                differs.session(),
                                differs.time().toString(),
                                differs.text(),
                                Long.toHexString(differs.firstHash()),
                                Long.toHexString(differs.secondHash()),
                                null,
                                null,
                                null);
                    case Between between ->
                        new BisectReport(
                                "between",
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                between.after(),
                                between.upTo(),
                                between.logged());
                });
    }
}
