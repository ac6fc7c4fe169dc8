package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.CommitLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit that outlives a loss of power forces all that it needs, and itself last. */
class SyncCommitTest {
    interface Trade {
        long id();

        Trade id(long value);

        String symbol();

        Trade symbol(String value);
    }

    @TempDir
    Path folder;

    @TempDir
    Path recordings;

    /** What forces files. */
    interface Action {
        void run() throws IOException;
    }

    private List<String> forced(Action action) throws IOException {
        return forced(folder, recordings, action);
    }

    /** Returns the names of the files in a folder that were forced, in order. */
    static List<String> forced(Path folder, Path recordings, Action action) throws IOException {
        Path file = recordings.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        events.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
        List<String> names = new ArrayList<>();
        for (RecordedEvent event : events) {
            String path = event.getString("path");
            if (path != null && Path.of(path).startsWith(folder)) {
                names.add(folder.relativize(Path.of(path)).toString());
            }
        }
        return names;
    }

    @Test
    void forcesIdentitiesBlocksTextsAndThenTheCommit() throws IOException {
        try (HugeList<Trade> list =
                HugeList.builder(Trade.class).identity("id").rowsPerBlock(64).create(folder)) {
            for (int id = 0; id < 100; id++) {
                list.append().id(id).symbol("S");
            }
            assertThat(forced(list::commit)).isEmpty();
            List<String> forced = forced(() -> list.commit(CommitLevel.SYNC));
            assertThat(forced).startsWith("identity/slab-0");
            assertThat(forced)
                    .filteredOn(name -> !name.startsWith("identity/slab-"))
                    .containsExactly(
                            "identity/commit.next", "identity", "block-0", "block-1", "text-symbol", "commit.next", "");
            list.get(3).symbol("T");
            assertThat(forced(() -> list.commit(CommitLevel.SYNC)))
                    .contains("block-0", "text-symbol", "commit.next")
                    .doesNotContain("block-1");
        }
    }

    @Test
    void truncatingForcesTheNewBlockAndTheCommitBeforeItDeletesWhatTheFormerNeeds() throws IOException {
        try (HugeList<Trade> list =
                HugeList.builder(Trade.class).rowsPerBlock(64).create(folder)) {
            for (int id = 0; id < 200; id++) {
                list.append().id(id).symbol("S");
            }
            list.commit(CommitLevel.SYNC);
            assertThat(forced(() -> list.truncate(100)))
                    .containsExactly("block-1.next", "block-1", "text-symbol", "commit.next", "", "");
            assertThat(folder.resolve("block-2")).doesNotExist();
            list.append().id(7).symbol("T");
            assertThat(forced(() -> list.commit(CommitLevel.SYNC)))
                    .containsExactly("block-1", "text-symbol", "commit.next", "");
        }
    }

    @Test
    void removingForcesAllOfTheCopyBeforeTheCommitAndDeletesTheFormerBlocksThen() throws IOException {
        try (HugeList<Trade> list =
                HugeList.builder(Trade.class).identity("id").rowsPerBlock(64).create(folder)) {
            for (int id = 0; id < 200; id++) {
                list.append().id(id).symbol("S");
            }
            list.commit();
            List<String> forced = forced(() -> list.removeIf(trade -> trade.id() % 2 == 0));
            assertThat(forced)
                    .filteredOn(name -> !name.startsWith("identity-1/slab-"))
                    .containsExactly(
                            "block-1-0",
                            "identity-1/commit.next",
                            "identity-1",
                            "block-1-1",
                            "text-symbol",
                            "",
                            "block-1-1",
                            "text-symbol",
                            "commit.next",
                            "");
            assertThat(forced).contains("identity-1/slab-0");
            assertThat(folder.resolve("block-0")).doesNotExist();
            assertThat(folder.resolve("identity")).doesNotExist();
        }
    }
}
