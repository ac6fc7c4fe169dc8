package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherLanguagesTest {
    private static final int MOST = 500;
    private static final int COUNT = 5_000;
    private static final int COUNT_PYTHON = 2_000;

    @TempDir
    Path folder;

    private IpcChannel create(boolean many) throws IOException {
        return IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(16384, many, 8, false));
    }

    private static List<Long> receive(IpcReader reader, Process publisher, int count) {
        List<Long> seen = new ArrayList<>();
        while (seen.size() < count) {
            List<Long> some = Channels.drain(reader, MOST);
            seen.addAll(some);
            if (some.isEmpty()) {
                assertThat(publisher.isAlive() || reader.position() < reader.channel.tail() || seen.size() == count)
                        .isTrue();
                Thread.onSpinWait();
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cPublishesToJava(boolean many) throws Exception {
        try (IpcChannel channel = create(many);
                IpcSubscriber subscriber = channel.newSubscriber("java", Start.NEWEST)) {
            Process c = CPeer.start(Map.of(), "publish", channel.file().toString(), "c", "0", "" + COUNT, "" + MOST);
            assertThat(receive(subscriber, c, COUNT))
                    .isEqualTo(LongStream.range(0, COUNT).boxed().toList());
            assertThat(Await.exitCode(c)).isZero();
            assertThat(channel.parties()).extracting(Party::name).containsExactly("java");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void javaPublishesToC(boolean many) throws Exception {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("java")) {
            Process c =
                    CPeer.start(Map.of(), "subscribe", channel.file().toString(), "c", "2", "" + COUNT, "" + MOST, "0");
            Process patient = CPeer.start(
                    Map.of(), "subscribe", channel.file().toString(), "patient", "4", "" + COUNT, "" + MOST, "0");
            CPeer.awaitAttached(c);
            CPeer.awaitAttached(patient);
            assertThat(channel.parties())
                    .hasSize(3)
                    .allMatch(Party::alive)
                    .allMatch(Party::seen)
                    .extracting(Party::name)
                    .contains("c", "patient");
            for (long number = 0; number < COUNT; number++) {
                Channels.publish(publisher, number, MOST);
            }
            assertThat(Await.exitCode(c)).isZero();
            assertThat(Await.exitCode(patient)).isZero();
        }
    }

    @Test
    void cppPublishesToJava() throws Exception {
        try (IpcChannel channel = create(true);
                IpcSubscriber subscriber = channel.newSubscriber("java", Start.NEWEST)) {
            Process cpp = CPeer.start(
                    CPeer.programInCpp(),
                    Map.of(),
                    "publish",
                    channel.file().toString(),
                    "cpp",
                    "0",
                    "" + COUNT_PYTHON,
                    "" + MOST);
            assertThat(receive(subscriber, cpp, COUNT_PYTHON))
                    .isEqualTo(LongStream.range(0, COUNT_PYTHON).boxed().toList());
            assertThat(Await.exitCode(cpp)).isZero();
        }
    }

    @Test
    void aChannelThatCHasCreatedIsLikeOneOfJava() throws Exception {
        for (ChannelSettings settings : new ChannelSettings[] {
            new ChannelSettings(1 << 16, true, 5, false), new ChannelSettings(1 << 12, false, 62, true)
        }) {
            Path file = folder.resolve("of-c-" + settings.parties());
            String[] words = {
                "create",
                file.toString(),
                "" + settings.capacity(),
                settings.manyPublishers() ? "2" : "1",
                "" + settings.parties(),
                settings.kept() ? "1" : "0"
            };
            assertThat(Await.exitCode(CPeer.start(Map.of(), words))).isZero();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".new"));
            }
            assertThat(Await.exitCode(CPeer.start(Map.of(), words))).isEqualTo(4);
            try (IpcChannel channel = IpcChannel.open(file);
                    IpcPublisher publisher = channel.newPublisher("java");
                    IpcSubscriber subscriber = channel.newSubscriber("java", Start.OLDEST)) {
                assertThat(channel.settings()).isEqualTo(settings);
                Channels.publish(publisher, 1, 8);
                assertThat(subscriber.poll((_, _, _, _) -> {})).isEqualTo(1);
            }
            assertThat(Files.exists(file)).isEqualTo(settings.kept());
        }
    }

    @Test
    void pythonPublishesToJava() throws Exception {
        try (IpcChannel channel = create(true);
                IpcSubscriber subscriber = channel.newSubscriber("java", Start.NEWEST)) {
            Process python = CPeer.python("publish", channel.file().toString(), "0", "" + COUNT_PYTHON, "" + MOST);
            assertThat(receive(subscriber, python, COUNT_PYTHON))
                    .isEqualTo(LongStream.range(0, COUNT_PYTHON).boxed().toList());
            assertThat(Await.exitCode(python)).isZero();
        }
    }

    @Test
    void javaPublishesToPython() throws Exception {
        try (IpcChannel channel = create(false);
                IpcPublisher publisher = channel.newPublisher("java")) {
            Process python = CPeer.python("subscribe", channel.file().toString(), "" + COUNT_PYTHON, "" + MOST, "0");
            CPeer.awaitAttached(python);
            for (long number = 0; number < COUNT_PYTHON; number++) {
                Channels.publish(publisher, number, MOST);
            }
            assertThat(Await.exitCode(python)).isZero();
        }
    }

    @Test
    void cIsTheOnlyPublisherForJavaTooAndTheLastOneOutRemovesTheFile() throws Exception {
        IpcChannel channel = create(false);
        Path file = channel.file();
        Process c = CPeer.start(Map.of(), "subscribe", file.toString(), "c", "2", "1", "8", "1");
        CPeer.awaitAttached(c);
        try (IpcPublisher publisher = channel.newPublisher("java")) {
            Process second = CPeer.start(Map.of(), "publish", file.toString(), "c", "1", "1", "8");
            assertThat(Await.exitCode(second)).isEqualTo(1);
            Channels.publish(publisher, 1, 8);
        }
        assertThat(Await.exitCode(c)).isZero();
        Process held = CPeer.start(Map.of(), "subscribe", file.toString(), "c", "2", "2", "8", "1");
        CPeer.awaitAttached(held);
        channel.close();
        assertThat(file).exists();
        try (IpcChannel again = IpcChannel.open(file);
                IpcPublisher publisher = again.newPublisher("java")) {
            Channels.publish(publisher, 2, 8);
        }
        assertThat(Await.exitCode(held)).isZero();
        assertThat(Files.exists(file)).isFalse();
    }
}
