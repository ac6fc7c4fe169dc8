package io.slipstream.cli.sim;

import io.slipstream.cli.console.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of simulated lives, night after night: {@code history.csv} has a line for each run, and {@code index.html}
 * shows them all. A run that is killed leaves no line.
 */
final class SoakHistory {
    private static final String HEADING =
            "begun,world,commit,jdk,first_seed,lives,seconds,simulated_years,broken_promises,faults";
    private static final double NANOS_A_YEAR = 3.15576e16;

    private final Path lines;
    private final Path page;

    /**
     * Opens the history in that folder, or begins one, before the first life is lived.
     *
     * @throws IOException if what is there is none, or nothing can be written there
     */
    SoakHistory(Path folder) throws IOException {
        this.lines = folder.resolve("history.csv");
        this.page = folder.resolve("index.html");
        try {
            Files.createDirectories(folder);
            if (!Files.exists(lines)) {
                Files.writeString(lines, HEADING + "\n", StandardOpenOption.CREATE_NEW);
            }
        } catch (IOException e) {
            throw OutputFile.failure(lines, lines, e);
        }
        runs();
    }

    /** Adds a run, and shows it on the page. */
    void add(Instant begun, String world, long lives, long simulatedNanos, Map<String, Long> faults, Lives.Outcome how)
            throws IOException {
        Run run = new Run(
                begun.truncatedTo(ChronoUnit.SECONDS).toString(),
                world,
                commit(),
                Runtime.version().toString(),
                Long.toString(how.seed()),
                Long.toString(lives),
                String.format(Locale.ROOT, "%.0f", how.seconds()),
                String.format(Locale.ROOT, "%.6f", simulatedNanos / NANOS_A_YEAR),
                Integer.toString(how.broken().size()),
                new TreeMap<>(faults)
                        .entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(" ")));
        try {
            Files.writeString(lines, run.line() + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw OutputFile.failure(lines, lines, e);
        }
        OutputFile.write(page, html(runs()));
    }

    /** Returns where the page is. */
    Path page() {
        return page;
    }

    /** Returns which commit this was built from, as far as the script knows that has started it. */
    static String commit() {
        String known = System.getenv("SLIPSTREAM_COMMIT");
        return known == null || !known.matches("[A-Za-z0-9.-]{1,64}") ? "unknown" : known;
    }

    /** One line. */
    private record Run(
            String begun,
            String world,
            String commit,
            String jdk,
            String seed,
            String lives,
            String seconds,
            String years,
            String broken,
            String faults) {
        String line() {
            return String.join(",", begun, world, commit, jdk, seed, lives, seconds, years, broken, faults);
        }

        String row() {
            return "<tr>"
                    + List.of(begun, world, commit, jdk, seed, lives, seconds, years, broken, faults).stream()
                            .map(each -> "<td>" + each.replace("&", "&amp;").replace("<", "&lt;") + "</td>")
                            .collect(Collectors.joining())
                    + "</tr>\n";
        }
    }

    private List<Run> runs() throws IOException {
        List<String> all = Files.readAllLines(lines);
        if (all.isEmpty() || !all.getFirst().equals(HEADING)) {
            throw new IOException(lines + " is no history of simulated lives: its first line is not " + HEADING
                    + ". Name another folder");
        }
        List<Run> runs = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            String[] of = all.get(i).split(",", -1);
            if (of.length != 10 || !of[5].matches("\\d+") || !of[7].matches("\\d+\\.\\d+") || !of[8].matches("\\d+")) {
                throw new IOException(lines + ", line " + (i + 1) + ", is no run of simulated lives: " + all.get(i)
                        + ". Mend it, or name another folder");
            }
            runs.add(new Run(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9]));
        }
        return runs;
    }

    private static String html(List<Run> runs) {
        long lives = runs.stream().mapToLong(run -> Long.parseLong(run.lives)).sum();
        long broken = runs.stream().mapToLong(run -> Long.parseLong(run.broken)).sum();
        double years =
                runs.stream().mapToDouble(run -> Double.parseDouble(run.years)).sum();
        return String.format(
                Locale.ROOT,
                """
                <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Nights of simulated lives</title>
                <style>body{font:16px/1.5 system-ui;margin:2em}
                td,th{padding:0 1em 0 0;text-align:left;vertical-align:top}</style></head>
                <body><h1>Nights of simulated lives</h1>
                <p>%,d runs, %,d lives, %.3f simulated years, %,d broken promises.</p>
                <table><tr><th>Begun</th><th>World</th><th>Commit</th><th>JDK</th><th>First seed</th><th>Lives</th>
                <th>Seconds</th><th>Simulated years</th><th>Broken promises</th><th>Faults</th></tr>
                %s</table></body></html>
                """,
                runs.size(),
                lives,
                years,
                broken,
                runs.reversed().stream().map(Run::row).collect(Collectors.joining()));
    }
}
