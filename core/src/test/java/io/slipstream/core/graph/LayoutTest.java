package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.ring.EventClaim;
import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FrameClaim;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequencer.MultiFrameSequencer;
import io.slipstream.core.sequencer.MultiSequencer;
import io.slipstream.core.sequencer.SingleFrameSequencer;
import io.slipstream.core.sequencer.SingleSequencer;
import io.slipstream.core.thread.DutyCycle;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Waiter;
import io.slipstream.testkit.Await;
import java.io.File;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks a JVM with and one without compact object headers where it lays the fields out. */
class LayoutTest {
    private static final List<String> PADDED = List.of(
            PaddedLong.class.getName(),
            Sequence.class.getName(),
            SingleSequencer.class.getName(),
            MultiSequencer.class.getName(),
            RingBuffer.class.getName(),
            FrameRing.class.getName(),
            Pace.class.getName(),
            DutyCycle.class.getName(),
            Waiter.class.getName(),
            Signal.class.getName(),
            "io.slipstream.core.executor.ExecutorWorker",
            "io.slipstream.core.executor.LatencyProbe",
            "io.slipstream.core.queue.OneToOneQueue$End");
    private static final String PADDING_NAME = "[lr]\\d{3}";

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders"})
    void hotFieldsHaveADistanceOf128BytesToBothEndsOfTheirObject(String headers) throws Exception {
        List<Field> fields = probe(headers);
        for (String padded : PADDED) {
            assertThat(hot(fields, padded))
                    .as("hot fields of " + padded)
                    .isNotEmpty()
                    .allMatch(field -> field.isPadded(fields));
        }
    }

    /* They write nothing but the padded cells that they are composed of, and a poller its barrier when it is closed. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                EventPoller.class,
                FramePoller.class,
                EventObserver.class,
                FrameObserver.class,
                EventClaim.class,
                FrameClaim.class,
                EventStage.class,
                FrameStage.class,
                ControlledStage.class,
                ControlledFrameStage.class,
                FrameBatchStage.class,
                FrameWalkingStage.class,
                WorkShare.Member.class,
                WorkShare.class,
                SingleFrameSequencer.class,
                MultiFrameSequencer.class
            })
    void whatEachThreadUsesForItselfHasNoFieldThatChanges(Class<?> type) {
        assertThat(type.getDeclaredFields())
                .filteredOn(field -> !Modifier.isFinal(field.getModifiers()))
                .allMatch(field -> field.getName().equals("barrier")
                        && type.getSimpleName().endsWith("Poller"));
    }

    /* Set before the start, when a handler fails, and when it asks for the end. */
    @Test
    void aStageHasNoFieldThatChangesWithEachEvent() {
        assertThat(Stage.class.getDeclaredFields())
                .filteredOn(field -> !Modifier.isFinal(field.getModifiers()))
                .extracting(java.lang.reflect.Field::getName)
                .containsExactlyInAnyOrder("barrier", "settings", "wakes", "mayRest", "downstream", "stopping");
    }

    /* The broken twin: the same check must see that these two fields are neighbours. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders"})
    void theCheckSeesFieldsWithoutPadding(String headers) throws Exception {
        List<Field> fields = probe(headers);
        assertThat(hot(fields, Unpadded.class.getName())).hasSize(2).noneMatch(field -> field.isPadded(fields));
    }

    static final class Unpadded {
        long hot;
        long alsoHot;
    }

    /** Where a field begins, counted from the begin of its object. */
    private record Field(String type, String name, int offset) {
        boolean isPadding() {
            return name.matches(PADDING_NAME);
        }

        /** Fields are at most eight bytes wide, and paddings are bytes. */
        boolean isPadded(List<Field> all) {
            int first = own(all).mapToInt(Field::offset).min().orElseThrow();
            int last = own(all).mapToInt(Field::offset).max().orElseThrow();
            return offset - first >= CacheLine.PADDING_BYTES
                    && last + 1 - (offset + Long.BYTES) >= CacheLine.PADDING_BYTES;
        }

        private Stream<Field> own(List<Field> all) {
            return all.stream().filter(field -> field.type.equals(type));
        }
    }

    private static List<Field> hot(List<Field> fields, String type) {
        return fields.stream()
                .filter(field -> field.type.equals(type) && !field.isPadding())
                .toList();
    }

    private static List<Field> probe(String headers) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                headers,
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                location(PaddedLong.class) + File.pathSeparator + location(LayoutProbe.class),
                LayoutProbe.class.getName(),
                Unpadded.class.getName()));
        command.addAll(PADDED);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Await.exitCode(process)).as(output).isZero();
        return output.lines()
                .map(line -> line.split(" "))
                .map(words -> new Field(words[0], words[1], Integer.parseInt(words[2])))
                .toList();
    }

    private static String location(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        String url = String.valueOf(type.getResource("/" + name));
        return Path.of(url.substring(url.indexOf('/'), url.length() - name.length()))
                .toString();
    }
}
