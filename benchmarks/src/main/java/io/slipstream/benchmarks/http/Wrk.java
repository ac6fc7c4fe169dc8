package io.slipstream.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Runs {@code wrk} with small deposits. */
final class Wrk {
    private static final String COUNTED = "counted ";
    private static final double MICROS = 1e6;

    private final Path script;

    /**
     * What came back.
     *
     * @param answered with 200, a second
     * @param busy     with 503 and {@code Retry-After}, a second
     */
    record Counts(double answered, double busy) {}

    /** Puts its script into a folder. */
    Wrk(Path folder) throws IOException {
        script = folder.resolve("deposit.lua");
        try (InputStream in = Wrk.class.getResourceAsStream("deposit.lua")) {
            if (in == null) {
                throw new IllegalStateException("deposit.lua is missing");
            }
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static boolean isInstalled() {
        try {
            new ProcessBuilder("wrk", "-v")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sends deposits to a port for some seconds, over that many connections. */
    Counts run(int port, int connections, int seconds) throws IOException {
        Process wrk = new ProcessBuilder(
                        "wrk",
                        "-t",
                        "1",
                        "-c",
                        Integer.toString(connections),
                        "-d",
                        seconds + "s",
                        "-s",
                        script.toString(),
                        "http://127.0.0.1:" + port + "/commands/Deposit")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = wrk.inputReader()) {
            List<String> lines = out.lines().toList();
            String counted = lines.stream()
                    .filter(line -> line.startsWith(COUNTED))
                    .findFirst()
                    .orElseThrow(() -> new IOException("wrk has failed: " + lines));
            String[] words = counted.substring(COUNTED.length()).split(" ", -1);
            if (!words[2].equals("0")) {
                throw new IOException(words[2] + " answers were neither 200 nor 503 with Retry-After: " + lines);
            }
            double elapsed = Double.parseDouble(words[3]) / MICROS;
            return new Counts(Double.parseDouble(words[0]) / elapsed, Double.parseDouble(words[1]) / elapsed);
        }
    }
}
