package io.slipstream.journal.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The tools beside a service that trims: the oldest segment is removed just before a file of the folder is opened,
 * whichever it is.
 */
class TrimmedFolderTest {
    private static final int SEGMENTS = 4;

    @TempDir
    private Path temp;

    /** A command, and what its answer has in it when nothing is wrong. */
    enum Command {
        VERIFY("good"),
        REPAIR("would  do nothing"),
        DUMP("record"),
        STAT("journal"),
        INDEX("segment");

        private final String answer;

        Command(String answer) {
            this.answer = answer;
        }

        boolean run(JournalTool tool) throws IOException {
            return switch (this) {
                case VERIFY -> tool.verify();
                case REPAIR -> tool.repair(true);
                case DUMP -> tool.dump(new Selection(1, Long.MAX_VALUE, Selection.ANY_TYPE, false));
                case STAT -> tool.stat();
                case INDEX -> {
                    tool.index(false);
                    yield true;
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    void findNothingWrongWheneverASegmentIsTrimmed(Command command) throws Exception {
        int moment = 0;
        boolean trimmed;
        do {
            moment++;
            Path folder = temp.resolve("moment-" + moment);
            write(folder);
            int[] count = {0};
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (JournalTool tool = new JournalTool(
                    trimming(folder, count, moment),
                    new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false),
                    List.of())) {
                assertThat(command.run(tool)).as("%d: %s", moment, out).isTrue();
            }
            // Not each round opens as many files as the one before; in the last, there was no such moment.
            trimmed = count[0] >= moment;
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .as("%d", moment)
                    .contains(command.answer)
                    .doesNotContain("finding");
            assertThat(Files.exists(folder.resolve(FileName.of(1))))
                    .as("segment 1 is there after %d", moment)
                    .isEqualTo(!trimmed);
        } while (trimmed);
        assertThat(moment).isGreaterThan(SEGMENTS);
    }

    /** A file that is used again holds other bytes, which are no damage. */
    @Test
    void doNotTakeAFileThatIsUsedAgainForDamage() throws Exception {
        Path folder = temp.resolve("used-again");
        write(folder);
        int[] count = {0};
        Storage storage = intercepted(folder, (name, open) -> {
            Object file = open.open();
            if (name.equals(FileName.of(1)) && ++count[0] == 2) {
                Path spare = folder.resolve(FileName.of(1) + FileName.UNFINISHED);
                Files.move(folder.resolve(FileName.of(1)), spare);
                try (FileChannel channel = FileChannel.open(spare, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), SegmentHeader.BYTES);
                }
            }
            return file;
        });
        try (JournalTool tool =
                new JournalTool(storage, new Report(new PrintStream(new ByteArrayOutputStream()), false), List.of())) {
            assertThatThrownBy(() -> Command.DUMP.run(tool))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("was trimmed");
        }
    }

    /** Returns the folder, whose first segment is removed when a file is opened for the time {@code moment}. */
    private static Storage trimming(Path folder, int[] count, int moment) throws IOException {
        return intercepted(folder, (_, open) -> {
            if (++count[0] == moment) {
                try (FileStorage storage = FileStorage.open(folder)) {
                    SegmentHeader second =
                            Objects.requireNonNull(SegmentFile.read(storage, 2).header());
                    PositionFile.create(storage, FileName.TRIMMED, second.journalId(), second.baseSequence() - 1, true);
                }
                Files.deleteIfExists(folder.resolve(FileName.index(1)));
                Files.delete(folder.resolve(FileName.of(1)));
            }
            return open.open();
        });
    }

    private interface Open {
        Object open() throws IOException;
    }

    private interface Interception {
        Object open(String name, Open open) throws IOException;
    }

    /** Returns the folder, whose files are opened for reading as {@code interception} does it. */
    private static Storage intercepted(Path folder, Interception interception) throws IOException {
        Storage storage = FileStorage.openExisting(folder);
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (_, method, arguments) -> {
                    if (method.getName().equals("openForReading")) {
                        String name = (String) arguments[0];
                        return interception.open(name, () -> storage.openForReading(name));
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void write(Path folder) throws IOException {
        int length = JournalRecord.HEADER_BYTES + 1000;
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        try (Journal journal = Journal.open(
                folder,
                JournalConfig.at(Durability.PROCESS)
                        .withSegmentBytes(16 << 10)
                        .withPreparedSegments(1)
                        .withPrepareInBackground(false))) {
            for (int i = 0; i < SEGMENTS * 11; i++) {
                JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
                journal.append(memory, 0, Frame.align(length));
                journal.commit();
            }
        }
    }
}
