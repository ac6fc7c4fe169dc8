package io.slipstream.core.ring;

import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.memory.PaddedLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Asks a JVM with and one without compact object headers where it lays the fields out. */
@Timeout(60)
class LayoutTest {
    private static final List<Class<?>> PADDED = List.of(PaddedLong.class, Sequence.class, SingleSequencer.class,
            MultiSequencer.class, RingBuffer.class, FrameRing.class);

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders"})
    void hotFieldsHaveADistanceOf128BytesToBothEndsOfTheirObject(String headers) throws Exception {
        for (Class<?> padded : PADDED) {
            List<long[]> ends = probe(headers, padded);
            assertThat(ends).as("hot fields of " + padded).isNotEmpty();
            for (long[] distances : ends) {
                assertThat(distances[0]).as("before a field of " + padded).isGreaterThanOrEqualTo(CacheLine.PADDING_BYTES);
                assertThat(distances[1]).as("behind a field of " + padded).isGreaterThanOrEqualTo(CacheLine.PADDING_BYTES);
            }
        }
    }

    /* The broken twin: the same probe must see that these two fields are neighbours. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders"})
    void theProbeSeesFieldsWithoutPadding(String headers) throws Exception {
        assertThat(probe(headers, Unpadded.class)).allMatch(distances -> distances[1] < CacheLine.PADDING_BYTES);
    }

    static final class Unpadded {
        long hot;
        long alsoHot;
    }

    private static List<long[]> probe(String headers, Class<?> padded) throws Exception {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), headers, "-Xshare:auto",
                "-XX:TieredStopAtLevel=1", "--sun-misc-unsafe-memory-access=allow", "-cp", classPath(),
                LayoutProbe.class.getName(), padded.getName()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        List<long[]> distances = new ArrayList<>();
        for (String line : output.lines().filter(l -> l.startsWith("field ")).toList()) {
            String[] words = line.split(" ");
            distances.add(new long[] {Long.parseLong(words[2]), Long.parseLong(words[3])});
        }
        return distances;
    }

    private static String classPath() {
        return location(PaddedLong.class) + File.pathSeparator + location(LayoutProbe.class);
    }

    private static String location(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        String url = String.valueOf(type.getResource("/" + name));
        return Path.of(url.substring(url.indexOf('/'), url.length() - name.length())).toString();
    }
}
