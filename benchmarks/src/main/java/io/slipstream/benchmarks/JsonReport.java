package io.slipstream.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Results as a JSON array of objects: {@code suite, name, unit, ours, peer, peerName, ratio, target, met, rounds}.
 * {@code ours} and {@code peer} are medians, and {@code ratio} is the median of the ratios of the rounds; {@code rounds} holds
 * every figure of both, and the {@link CpuRoundTrip} before each; {@code target} and {@code met} are null where a comparison
 * only reports.
 */
final class JsonReport {
    private JsonReport() {
    }

    static void write(Path file, List<Result> results) throws IOException {
        Files.writeString(file, results.stream().map(JsonReport::object)
                .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    static String object(Result result) {
        Double target = result.comparison().target();
        return "  {"
                + "\"suite\": " + string(result.suite())
                + ", \"name\": " + string(result.comparison().name())
                + ", \"unit\": " + string(result.comparison().unit().name())
                + ", \"ours\": " + result.ours().median()
                + ", \"peer\": " + result.peer().median()
                + ", \"peerName\": " + string(result.comparison().peerName())
                + ", \"ratio\": " + result.ratio()
                + ", \"target\": " + target
                + ", \"met\": " + result.met()
                + ", \"rounds\": {\"ours\": " + result.ours().figures()
                + ", \"peer\": " + result.peer().figures()
                + ", \"cpuRoundTripNanos\": " + result.trips().figures() + "}}";
    }

    private static String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }
}
