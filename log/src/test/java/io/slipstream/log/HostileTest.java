package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every message of a hostile program is there or told, on a heap of 64 MB; a longer form is {@code etc/prove log}. */
class HostileTest {
    private static final Pattern TOLD = Pattern.compile("#WARN log (\\d+) messages were (?:dropped|lost): .*");
    private static final Pattern NOTICE = Pattern.compile("#WARN log (?:no more than \\d+ statements|the levels) .*");

    @Test
    void everyMessageOfAHostileProgramIsThereOrTold() throws Exception {
        int seconds = Integer.getInteger("slipstream.hostile", 1);
        int threads = Integer.getInteger("slipstream.hostile.threads", 10_000);
        Process child = ChildJvm.of(
                        HostileProgram.class,
                        List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"),
                        Integer.toString(seconds),
                        Integer.toString(threads))
                .start();
        StringBuilder said = new StringBuilder();
        CompletableFuture<Void> errors = Await.inBackground("errors", () -> {
            try (BufferedReader reader = child.errorReader()) {
                reader.lines().forEach(line -> said.append(line).append('\n'));
            }
        });
        long there = 0;
        long told = 0;
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = TOLD.matcher(line);
                if (matcher.matches()) {
                    told += Long.parseLong(matcher.group(1));
                } else if (line.startsWith("#") && !NOTICE.matcher(line).matches()) {
                    there++;
                }
            }
        }
        errors.get();
        assertThat(child.waitFor()).as(said.toString()).isZero();
        System.out.println("hostile: " + said + there + " are there, " + told + " were told");
        String all = there + told + " messages in ";
        assertThat(said.toString().lines()).anyMatch(line -> line.startsWith(all));
        assertThat(there).isPositive();
    }
}
