package io.slipstream.log.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the files that were rolled. */
class RolledFilesTest {
    @TempDir
    private Path folder;

    private long count(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).count();
        }
    }

    /** As one does that finds no memory. */
    @Test
    void goesOnWithAnotherThreadWhenTheOneBeforeHasEnded() throws Exception {
        Path file = folder.resolve("app.log");
        List<Thread> threads = new ArrayList<>();
        RolledFiles rolled = new RolledFiles(file, LogConfig.file(file), task -> {
            Thread thread = new Thread(threads.isEmpty() ? () -> {} : task);
            threads.add(thread);
            return thread;
        });
        Files.writeString(file, "first");
        rolled.add();
        Await.ended(threads.getFirst());
        assertThat(count(".gz")).isZero();
        Files.writeString(file, "second");
        rolled.add();
        rolled.await();
        assertThat(threads).hasSize(2);
        assertThat(count(".gz")).isEqualTo(2);
        assertThat(count(".log")).isZero();
    }

    /* Compressing waits here until somebody reads. A program that logs faster than that would gather files. */
    @Test
    void removesWhatIsTooManyBeforeItCompresses() throws Exception {
        List<Path> pipes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Path left = folder.resolve("app.20250101-000000.00" + i + ".log");
            Files.writeString(left, "left by a process that ended early");
            Path pipe = folder.resolve(left.getFileName() + ".part");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            pipes.add(pipe);
        }
        Path file = folder.resolve("app.log");
        RolledFiles rolled = new RolledFiles(file, LogConfig.file(file).with("keep.files", "3"));
        Files.writeString(file, "new");
        rolled.add();
        Await.until("3 files are left", () -> count(".log") + count(".gz") == 3);
        List<RandomAccessFile> readers = new ArrayList<>();
        for (Path pipe : pipes) {
            readers.add(new RandomAccessFile(pipe.toFile(), "rw"));
        }
        rolled.await();
        for (RandomAccessFile reader : readers) {
            reader.close();
        }
    }

    @Test
    void leavesAFolderThatHasAnArchivesName() throws Exception {
        Path file = folder.resolve("app.log");
        Path made = Files.createDirectory(folder.resolve("app.20250101-000000.000.log.gz"));
        RolledFiles rolled = new RolledFiles(file, LogConfig.file(file).with("keep.files", "1"));
        for (int i = 0; i < 3; i++) {
            Files.writeString(file, "line");
            rolled.add();
            rolled.await();
        }
        assertThat(made).isEmptyDirectory();
        assertThat(count(".gz")).as("archives and the folder").isEqualTo(2);
    }

    @Test
    void saysWhatWasLostAndWhy() {
        Losses losses = new Losses();
        assertThat(losses).hasToString("0 dropped, 0 lost");
        losses.drop();
        losses.lose(2, "no space left");
        assertThat(losses).hasToString("1 dropped, 2 lost: no space left");
    }
}
