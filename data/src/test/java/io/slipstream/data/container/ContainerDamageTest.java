package io.slipstream.data.container;

import static io.slipstream.data.container.ContainerFileTest.ENTRIES;
import static io.slipstream.data.container.ContainerFileTest.entries;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.container.ContainerFileTest.Entry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to the bytes of a container file: its reader gives the first values, and says what is wrong. */
class ContainerDamageTest {
    private static final int COUNT = 12;

    @TempDir
    Path temp;

    private byte[] whole = {};
    private int headerBytes;

    /** The ends of the blocks, the last of which has no values, and how many values there are by then. */
    private final List<int[]> blocks = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        Path file = temp.resolve("whole");
        try (ContainerFileWriter<Entry> out =
                ContainerFileWriter.create(file, ENTRIES, ContainerFileTest.SMALL_BLOCK)) {
            headerBytes = (int) Files.size(file);
            blocks.add(new int[] {headerBytes, 0});
            for (Entry entry : entries(COUNT)) {
                out.append(entry);
                if (entry.id() % 3 == 2) {
                    out.commit();
                    blocks.add(new int[] {(int) Files.size(file), (int) entry.id() + 1});
                }
            }
        }
        whole = Files.readAllBytes(file);
        blocks.add(new int[] {whole.length, COUNT});
        assertThat(blocks).hasSize(COUNT / 3 + 2);
    }

    private Path changed(byte[] bytes) throws IOException {
        return Files.write(temp.resolve("changed"), bytes);
    }

    /** Returns the last block that ends at or before a byte. */
    private int[] before(int at) {
        return blocks.stream().filter(block -> block[0] <= at).toList().getLast();
    }

    @Test
    void aByteThatIsAnotherIsFound() throws IOException {
        for (int at = 0; at < whole.length; at++) {
            for (int flip : new int[] {1, 0x80}) {
                byte[] bytes = whole.clone();
                bytes[at] ^= (byte) flip;
                Path file = changed(bytes);
                if (at < headerBytes) {
                    assertThatThrownBy(() ->
                                    ContainerFileReader.open(file, ENTRIES).close())
                            .as("byte %d", at)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining(file.toString());
                } else {
                    int[] before = before(at);
                    assertThat(valuesUntil(file, "in its block at byte " + before[0]))
                            .as("byte %d", at)
                            .isEqualTo(entries(before[1]));
                }
            }
        }
    }

    /** Returns the values that come before the reader says that the file is damaged. */
    private static List<Entry> valuesUntil(Path file, String damage) throws IOException {
        List<Entry> all = new ArrayList<>();
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            String message = file + " is damaged: " + damage;
            assertThatThrownBy(() -> {
                        while (in.next()) {
                            all.add(in.value());
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(message);
            assertThatThrownBy(in::next).hasMessageContaining(message);
            assertThat(in.isComplete()).isEqualTo(damage.startsWith("it goes on"));
        }
        return all;
    }

    @Test
    void anEndThatIsTornIsToldAndWhatIsWholeIsRead() throws IOException {
        for (int length = 0; length < whole.length; length++) {
            Path file = changed(Arrays.copyOf(whole, length));
            if (length < headerBytes) {
                assertThatThrownBy(() -> ContainerFileReader.open(file, ENTRIES).close())
                        .as("%d bytes", length)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(file.toString());
                continue;
            }
            int[] before = before(length);
            try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
                assertThat(ContainerFileTest.rest(in)).isEqualTo(entries(before[1]));
                assertThat(in.tornBytes()).as("%d bytes", length).isEqualTo(length - before[0]);
                assertThat(in.isComplete()).isFalse();
            }
        }
    }

    @Test
    void aBlockIsOneInItsOwnPlaceAlone() throws IOException {
        int first = blocks.get(0)[0];
        int second = blocks.get(1)[0];
        int third = blocks.get(2)[0];
        byte[] lost = Arrays.copyOf(whole, whole.length - (second - first));
        System.arraycopy(whole, second, lost, first, lost.length - first);
        assertThat(valuesUntil(changed(lost), "in its block at byte " + first)).isEmpty();
        byte[] twice = Arrays.copyOf(whole, third + third - second);
        System.arraycopy(whole, second, twice, third, third - second);
        assertThat(valuesUntil(changed(twice), "in its block at byte " + third)).isEqualTo(entries(6));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 200})
    void nothingIsBehindTheEnd(int more) throws IOException {
        Path file = changed(Arrays.copyOf(whole, whole.length + more));
        assertThat(valuesUntil(file, "it goes on behind its end at byte " + whole.length))
                .isEqualTo(entries(COUNT));
    }

    @Test
    void zerosThatALossOfPowerHasLeftAreDamage() throws IOException {
        int[] last = blocks.get(blocks.size() - 2);
        byte[] zeros = Arrays.copyOf(Arrays.copyOf(whole, last[0]), last[0] + 4096);
        assertThat(valuesUntil(changed(zeros), "in its block at byte " + last[0]))
                .isEqualTo(entries(COUNT));
    }

    /** Not damage but a writer that lies: the checksums are those of what it has written. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 5, 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void messagesAreReadWithinTheirBlockOnly(int length) throws IOException {
        int begin = blocks.get(0)[0];
        int bytes = blocks.get(1)[0] - begin;
        ByteBuffer block = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        block.put(0, whole, begin, bytes);
        block.putInt(BlockHeader.BYTES, length);
        new BlockHeader().put(MemorySegment.ofBuffer(block), block, begin, bytes, 3);
        byte[] lying = whole.clone();
        block.get(0, lying, begin, bytes);
        Path file = changed(lying);
        try (ContainerFileReader<MemorySegment> in = ContainerFileReader.openBytes(file)) {
            assertThatThrownBy(() -> {
                        while (in.next()) {
                            assertThat(in.offset() + in.length()).isLessThanOrEqualTo(bytes);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in its block at byte " + begin + ", its messages do not fill it");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 48", "1, -1", "3, 11", "1, 2147483647"})
    void aBlockHasAsManyMessagesAsItsBytesCan(int count, int bytes) throws IOException {
        int begin = blocks.get(0)[0];
        ByteBuffer block = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        new BlockHeader().put(MemorySegment.ofBuffer(block), block, begin, BlockHeader.BYTES, count);
        block.putInt(0, bytes);
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, begin));
        crc.update(block.slice(0, 12));
        block.putInt(12, (int) crc.getValue());
        byte[] lying = whole.clone();
        block.get(0, lying, begin, BlockHeader.BYTES);
        assertThat(valuesUntil(
                        changed(lying),
                        "in its block at byte " + begin + ", it cannot have " + count + " messages in " + bytes
                                + " bytes"))
                .isEmpty();
    }
}
