package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.ipc.errors.ChannelException;
import io.slipstream.ipc.errors.CorruptChannelException;
import io.slipstream.ipc.file.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -Dslipstream.ipc.mutations=500000} tries so many damaged files instead of some thousands. */
class HostileFileTest {
    private static final int MOST = 100;
    private static final int MUTATIONS = Integer.getInteger("slipstream.ipc.mutations", 300);

    @TempDir
    Path folder;

    private Path written(boolean many) throws IOException {
        Path file = folder.resolve(many + ".ipc");
        try (IpcChannel channel = IpcChannel.create(file, new ChannelSettings(4096, many, 4, true));
                IpcPublisher publisher = channel.newPublisher("p")) {
            for (long number = 0; number < 100; number++) {
                Channels.publish(publisher, number, MOST);
            }
        }
        return file;
    }

    @ParameterizedTest
    @CsvSource({"0, magic number", "8, version 2", "12, another byte order", "24, checksum", "88, checksum"})
    void refusesAHeaderThatThisVersionDidNotWrite(int at, String reason) throws IOException {
        Path file = written(false);
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= (byte) (at == 8 ? 3 : 1);
        Files.write(file, bytes);
        assertThatThrownBy(() -> IpcChannel.open(file))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining(file.toString());
    }

    @Test
    void refusesATruncatedAGrownAndAnEmptyFile() throws IOException {
        Path file = written(true);
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {bytes.length - 1, bytes.length - 4096, 5000, 100}) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> IpcChannel.open(file))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("bytes");
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> IpcChannel.open(file)).hasMessageContaining("its header says");
        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> IpcChannel.open(file)).hasMessageContaining("empty");
        assertThatThrownBy(() -> IpcChannel.open(folder)).isInstanceOf(IOException.class);
    }

    /**
     * Whatever is behind the header, each call returns or throws what it says that it throws, soon and without any
     * memory to speak of.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesAnyBytesBehindTheHeader(boolean many) throws IOException {
        Path file = written(many);
        byte[] good = Files.readAllBytes(file);
        Random random = new Random(7);
        int refused = 0;
        for (int mutation = 0; mutation < MUTATIONS; mutation++) {
            byte[] bytes = good.clone();
            mutate(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), random, many);
            Files.write(file, bytes);
            try {
                use(file);
            } catch (CorruptChannelException | ChannelException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 50, MUTATIONS);
    }

    private static void mutate(ByteBuffer file, Random random, boolean many) {
        int data = file.capacity() - 4096;
        int stamps = many ? data - 4096 : data;
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = switch (random.nextInt(4)) {
                case 0 ->
                    new int[] {
                                Layout.TAIL_AT,
                                Layout.LIMIT_AT,
                                Layout.ANNOUNCED_AT,
                                Layout.SLEEPERS_AT,
                                Layout.LANDMARKS_AT + 8 * random.nextInt(64)
                            }
                            [random.nextInt(5)];
                case 1 -> Layout.SLOTS_OFFSET + 8 * random.nextInt(4 * Layout.SLOT_BYTES / 8);
                case 2 -> stamps + 8 * random.nextInt((file.capacity() - stamps) / 8);
                default -> 96 + 8 * random.nextInt((file.capacity() - 96) / 8);
            };
            long old = file.getLong(at);
            file.putLong(
                    at,
                    switch (random.nextInt(6)) {
                        case 0 -> random.nextLong();
                        case 1 -> old ^ 1L << random.nextInt(64);
                        case 2 -> old + 16 * (random.nextInt(65) - 32);
                        case 3 -> -1;
                        case 4 -> Long.MIN_VALUE;
                        default -> random.nextInt();
                    });
        }
    }

    private static void use(Path file) throws IOException {
        try (IpcChannel channel = IpcChannel.open(file)) {
            channel.parties();
            try (IpcSubscriber oldest = channel.newSubscriber("o", Start.OLDEST);
                    IpcObserver observer = channel.newObserver("v", Start.OLDEST)) {
                read(observer);
                read(oldest);
                try (IpcPublisher publisher = channel.newPublisher("p")) {
                    for (int i = 0; i < 100; i++) {
                        long claim = publisher.tryClaim(50);
                        if (claim < 0) {
                            read(oldest);
                        } else {
                            publisher.publish(claim);
                        }
                    }
                }
                read(observer);
            }
        }
    }

    private static void read(IpcReader reader) {
        for (int i = 0; i < 3; i++) {
            reader.poll((memory, offset, length, endOfBatch) -> memory.asSlice(offset, length));
        }
    }
}
