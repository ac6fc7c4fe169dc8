package io.slipstream.cluster.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberRecordsTest {
    @TempDir
    private Path folder;

    @Test
    void hasTheCommandsWithTheSequencesThatTheMembersGaveThem() throws IOException {
        try (Grid grid = Grid.of(3, Last::new);
                ServiceClient client = grid.client().connect()) {
            Map<Long, Integer> sent = new TreeMap<>();
            send(client, 200, sent);
            grid.failOver();
            send(client, 200, sent);
            for (int id = 0; id < 3; id++) {
                Path directory = grid.directory(id);
                grid.awaitApplied(id, last(sent));
                assertThat(commands(directory)).isEqualTo(sent);
            }
        }
    }

    @Test
    void countsOnFromTheOldestSnapshotThatIsLeft() throws IOException {
        try (Grid grid = Grid.of(3, Last::new, config -> config.withSnapshotLogBytes(300_000));
                ServiceClient client = grid.client().connect()) {
            Map<Long, Integer> sent = new TreeMap<>();
            int leader = grid.awaitLeader();
            while (MemberLog.of(grid.directory(leader)).start() == 0) {
                send(client, 500, sent);
            }
            grid.awaitApplied(leader, last(sent));
            Map<Long, Integer> found = commands(grid.directory(leader));
            assertThat(found).isNotEmpty().hasSizeLessThan(sent.size());
            assertThat(sent).containsAllEntriesOf(found);
            assertThat(last(found)).isEqualTo(last(sent));
        }
    }

    @Test
    void changesNothingAndACopyHasTheSameAndIsNoMember() throws IOException {
        try (Grid grid = Grid.of(2, Last::new)) {
            Map<Long, Integer> sent = new TreeMap<>();
            try (ServiceClient client = grid.client().connect()) {
                send(client, 100, sent);
                grid.snapshot();
                send(client, 100, sent);
            }
            Path copy = folder.resolve("copy");
            // While it runs.
            assertThat(MemberCopy.make(grid.directory(1), copy, List.of())).isPositive();
            assertThat(commands(copy)).isEqualTo(sent);
            assertThat(MemberCheck.of(copy)).hasSize(3).allMatch(MemberCheck.Finding::isWhole);
            ClusterConfig config = ClusterConfig.of(grid.members(), 1, ServiceConfig.in(copy));
            assertThatThrownBy(() -> ClusterMember.start(config, new Last()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is the folder of 'copy of member 1'");
            grid.stop(1);
            Map<String, String> before = files(grid.directory(1));
            assertThat(commands(grid.directory(1))).isEqualTo(sent);
            assertThat(MemberCheck.of(grid.directory(1))).allMatch(MemberCheck.Finding::isWhole);
            assertThat(files(grid.directory(1))).isEqualTo(before);
        }
    }

    @Test
    void findsAFlippedBitInTheLogAndInASnapshot() throws IOException {
        try (Grid grid = Grid.of(1, Last::new)) {
            try (ServiceClient client = grid.client().connect()) {
                send(client, 100, new TreeMap<>());
                grid.snapshot();
            }
            grid.stop(0);
            MemberLog log = MemberLog.of(grid.directory(0));
            List<Long> recordings = Stream.concat(
                            Stream.of(log.recording().id()),
                            log.terms().lastSnapshot().stream().map(TermEntry::recording))
                    .toList();
            for (long recording : recordings) {
                Path file = grid.directory(0).resolve("archive").resolve(recording + "-0.rec");
                flip(file, 70);
                assertThat(MemberCheck.of(grid.directory(0)))
                        .filteredOn(finding -> !finding.isWhole())
                        .singleElement()
                        .matches(finding -> finding.recording() == recording)
                        .matches(finding -> finding.damage().contains("another checksum"));
                flip(file, 70);
            }
            assertThat(MemberCheck.of(grid.directory(0))).allMatch(MemberCheck.Finding::isWhole);
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int was = bytes.read();
            bytes.seek(at);
            bytes.write(was ^ 4);
        }
    }

    private static long last(Map<Long, Integer> of) {
        return of.keySet().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static void send(ServiceClient client, int times, Map<Long, Integer> sent) {
        int first = sent.size();
        List<CompletableFuture<Reply>> replies = IntStream.range(first, first + times)
                .mapToObj(number -> client.send(new byte[] {(byte) number}))
                .toList();
        for (int i = 0; i < times; i++) {
            sent.put(replies.get(i).join().sequence(), (int) (byte) (first + i));
        }
    }

    private static Map<Long, Integer> commands(Path directory) throws IOException {
        Map<Long, Integer> found = new TreeMap<>();
        MemberRecords records = MemberRecords.of(directory, (place, memory, offset, length) -> {
            if (Message.type(memory, offset) == MessageType.COMMAND) {
                found.put(Message.sequence(memory, offset), (int)
                        memory.get(ValueLayout.JAVA_BYTE, offset + Message.HEADER_BYTES));
            }
        });
        assertThat(records.read()).as(String.valueOf(records.damage())).isTrue();
        return found;
    }

    private static Map<String, String> files(Path directory) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                found.put(
                        directory.relativize(file).toString(),
                        Files.size(file) + " " + Files.getLastModifiedTime(file) + " "
                                + Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return found;
    }

    /** Keeps the last command. */
    private static final class Last implements StateMachine {
        private byte[] last = {};

        @Override
        public void onCommand(Request command, Output output) {
            last = command.payload();
            output.reply(last);
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(last);
        }

        @Override
        public void save(StateOutput output) {
            output.writeBytes(last);
        }

        @Override
        public void load(StateInput input, int version) {
            last = input.readBytes();
        }

        @Override
        public long stateHash() {
            return Arrays.hashCode(last);
        }

        @Override
        public String name() {
            return "Last";
        }
    }
}
