package io.slipstream.log.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.EventLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that fails for a while under a binary log. */
class FailingDeviceTest {
    private static final Set<String> WRITING = Set.of("write", "writeFully", "force", "create", "createAnew");

    @TempDir
    private Path folder;

    private volatile boolean fails;

    private <T> T failing(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    if (fails && WRITING.contains(method.getName())) {
                        throw new IOException("the device does not answer");
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof StorageFile file ? failing(StorageFile.class, file) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static MemorySegment event(long nanos) {
        MemorySegment frame = Arena.ofAuto().allocate(64, 16);
        EventLayout.begin(frame, 0, EventLayout.ARGUMENTS_OFFSET, nanos, 1, 1);
        Frame.length(frame, 0, EventLayout.ARGUMENTS_OFFSET);
        Frame.tag(frame, 0, 0);
        return frame;
    }

    @Test
    void aFailedWriteIsCountedAndTheJournalIsOpenedAgain() throws IOException {
        LogConfig config = LogConfig.journal(folder).with("force", "true").with("roll.size", "1 MB");
        Losses losses = new Losses();
        JournalOutput output = new JournalOutput(
                config,
                folder,
                losses,
                (path, settings) -> Journal.open(failing(Storage.class, FileStorage.open(path)), settings));
        output.write(event(1), 0, EventLayout.ARGUMENTS_OFFSET);
        assertThat(losses.lost()).isZero();
        fails = true;
        output.write(event(2), 0, EventLayout.ARGUMENTS_OFFSET);
        assertThat(losses.lost()).isEqualTo(1);
        assertThat(losses.reason()).contains("the device does not answer");
        fails = false;
        long lost;
        do {
            lost = losses.lost();
            output.write(event(3), 0, EventLayout.ARGUMENTS_OFFSET);
        } while (losses.lost() > lost);
        output.close();
        long[] last = {0};
        Path written = folder.resolve(JournalOutput.FOLDER);
        try (Journal journal = Journal.open(written, JournalConfig.at(Durability.SYNC))) {
            journal.read(
                    journal.nextSequence() - 1, (memory, offset, _) -> last[0] = EventLayout.nanos(memory, offset));
        }
        assertThat(last[0]).isEqualTo(3);
    }

    @Test
    void whatCannotBeTrimmedIsToldAndNotCountedAsLost() throws IOException {
        LogConfig config = LogConfig.journal(folder).with("roll.size", "1 MB").with("keep.files", "1");
        Losses losses = new Losses();
        JournalOutput output = new JournalOutput(config, folder, losses);
        Files.write(folder.resolve(JournalOutput.FOLDER).resolve("tailer-billing.position"), new byte[1024]);
        MemorySegment event = event(1);
        for (int i = 0; i < (3 << 20) / EventLayout.ARGUMENTS_OFFSET; i++) {
            output.write(event, 0, EventLayout.ARGUMENTS_OFFSET);
        }
        assertThat(losses.lost()).isZero();
        assertThat(losses.takeNote())
                .contains("the log keeps more than it should")
                .contains("tailer-billing.position");
        assertThat(output.journal()).isNotNull();
        output.close();
    }
}
