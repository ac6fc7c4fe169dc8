package io.slipstream.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Results as a JSON array of objects: {@code suite, name, unit, ours, peer, peerName, ratio, target, met, oursBytes,
 * peerBytes, rounds, place}. {@code ours} and {@code peer} are medians, and {@code ratio} is the median of the ratios
 * of the rounds; {@code rounds} holds every figure of both, and the {@link CpuRoundTrip} before each; {@code target}
 * and {@code met} are null where a comparison only reports; {@code oursBytes} and {@code peerBytes} are bytes of
 * payload a second, null where nothing is written; {@code place} has {@code machine, jdk, folder, fileSystem, device}.
 */
final class JsonReport {
    private JsonReport() {}

    static void write(Path file, List<Result> results, Place place) throws IOException {
        Files.writeString(
                file,
                results.stream()
                        .map(result -> object(result, place))
                        .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    static String object(Result result, Place place) {
        Double target = result.comparison().target();
        double bytes = result.comparison().unit().bytes();
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
                + ", \"oursBytes\": " + (bytes == 0 ? null : result.ours().median() * bytes)
                + ", \"peerBytes\": " + (bytes == 0 ? null : result.peer().median() * bytes)
                + ", \"rounds\": {\"ours\": " + result.ours().figures()
                + ", \"peer\": " + result.peer().figures()
                + ", \"cpuRoundTripNanos\": " + result.trips().figures() + "}"
                + ", \"place\": " + object(place) + "}";
    }

    private static String object(Place place) {
        return "{\"machine\": " + string(place.machine()) + ", \"jdk\": " + string(place.jdk())
                + ", \"folder\": " + string(place.folder()) + ", \"fileSystem\": " + string(place.fileSystem())
                + ", \"device\": " + string(place.device()) + "}";
    }

    private static String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }
}
