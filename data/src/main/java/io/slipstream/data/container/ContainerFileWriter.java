package io.slipstream.data.container;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.EncodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.host.Device;
import io.slipstream.data.wire.Bytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes values to a container file: the schema once, then the values in blocks with checksums.
 *
 * <pre>{@code
 *   try (var out = ContainerFileWriter.create(Path.of("orders.msgs"), ORDERS)) {
 *     out.append(order);
 *     out.commit();
 *   }
 * }</pre>
 *
 * <p>Values are gathered in memory. A {@link #commit} writes them to the file, and so does a block that is full, of
 * about 64 KiB. After {@code kill -9} the file has every value up to the last commit, and of those after it the first
 * ones, or none. To append a value makes no garbage.
 *
 * <p>One thread. Other threads and processes may read the file meanwhile.
 *
 * @param <T> the type of the values
 */
public final class ContainerFileWriter<T> implements AutoCloseable {
    /** Most bytes of one value. */
    public static final int MAX_MESSAGE_BYTES = 1 << 30;

    private static final int BLOCK_BYTES = 1 << 16;

    private final Path file;
    private final Codec<T> codec;
    private final int maxLength;
    private final int blockBytes;
    private final RandomAccessFile out;
    private final BlockHeader header = new BlockHeader();
    private final BlockMemory block;
    private long position;
    private int end = BlockHeader.BYTES;
    private int count;
    private boolean isNameForced;
    private boolean isClosed;
    private @Nullable IOException failedForce;

    private ContainerFileWriter(Path file, Codec<T> codec, int blockBytes, RandomAccessFile out, long position) {
        this.file = file;
        this.codec = codec;
        this.maxLength = codec.maxLength();
        this.blockBytes = blockBytes;
        this.out = out;
        this.block = new BlockMemory(blockBytes);
        this.position = position;
    }

    /**
     * Creates a file, which must not be there, and writes the schema to it.
     *
     * @throws FileAlreadyExistsException if it is there
     * @throws IOException if it cannot be written; then it is not there
     */
    public static <T> ContainerFileWriter<T> create(Path file, Codec<T> codec) throws IOException {
        return create(file, codec, BLOCK_BYTES);
    }

    static <T> ContainerFileWriter<T> create(Path file, Codec<T> codec, int blockBytes) throws IOException {
        byte[] header = FileHeader.of(file, codec.schema().toString());
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(
                    file.toString(),
                    null,
                    "it is there already; a container file is written once, so name another one");
        }
        RandomAccessFile out = null;
        boolean isDone = false;
        try {
            out = new RandomAccessFile(file.toFile(), "rw");
            out.write(header);
            var writer = new ContainerFileWriter<>(file, codec, blockBytes, out, header.length);
            isDone = true;
            return writer;
        } catch (IOException e) {
            throw failed(file, e);
        } finally {
            if (!isDone) {
                remove(file, out);
            }
        }
    }

    private static void remove(Path file, @Nullable RandomAccessFile out) throws IOException {
        if (out != null) {
            out.close();
        }
        Files.deleteIfExists(file);
    }

    /**
     * Appends a value. Nothing of it is kept.
     *
     * @throws EncodeException if the value does not fit its schema, or takes more than {@link #MAX_MESSAGE_BYTES}; it
     *         is not appended
     * @throws IOException if the block was full and could not be written. The value is not appended; those before it
     *         are kept, and written by the next call that can
     * @throws IllegalStateException if the writer is closed
     */
    public void append(T value) throws IOException {
        requireOpen();
        int room = blockBytes - end - Integer.BYTES;
        int most = maxLength <= room ? maxLength : roomFor(value, room);
        int length = codec.encode(value, block.memory(), end + (long) Integer.BYTES, most);
        Bytes.putInt(block.memory(), end, length);
        end += Integer.BYTES + length;
        count++;
    }

    /** Returns the bytes of a value, for which there is room then. */
    private int roomFor(T value, int room) throws IOException {
        int bytes = codec.sizeOf(value);
        if (bytes < 0 || bytes > MAX_MESSAGE_BYTES) {
            throw new EncodeException(
                    codec.schema().name(),
                    "takes " + Integer.toUnsignedString(bytes) + " bytes; a container file takes values of up to "
                            + MAX_MESSAGE_BYTES);
        }
        if (bytes > room) {
            writeBlock();
            block.require(end + Integer.BYTES + bytes, end);
        }
        return bytes;
    }

    /**
     * Writes what was appended: it outlives the process then.
     *
     * @throws IOException if it cannot be written. It is kept, and written by the next call that can
     * @throws IllegalStateException if the writer is closed
     */
    public void commit() throws IOException {
        commit(CommitLevel.PROCESS);
    }

    /**
     * Writes what was appended, and forces it to the device if the level says so.
     *
     * @throws IOException if it cannot be written; it is kept, and written by the next call that can. Once forcing has
     *         failed, each further call with {@link CommitLevel#SYNC} throws: what a device has lost it does not tell
     *         twice
     * @throws IllegalStateException if the writer is closed
     */
    public void commit(CommitLevel level) throws IOException {
        requireOpen();
        writeBlock();
        if (level == CommitLevel.SYNC) {
            force();
        }
    }

    private void force() throws IOException {
        if (failedForce != null) {
            throw new IOException(
                    file + " could not be forced to the device before; write the values to another file", failedForce);
        }
        try {
            Device.forceFile(file);
            Path folder = file.toAbsolutePath().getParent();
            if (!isNameForced && folder != null) {
                Device.forceFolder(folder);
                isNameForced = true;
            }
        } catch (IOException e) {
            failedForce = e;
            throw e;
        }
    }

    private void writeBlock() throws IOException {
        if (count > 0) {
            write();
        }
    }

    private void write() throws IOException {
        header.put(block.memory(), block.buffer(), position, end, count);
        try {
            block.write(out, position, end);
        } catch (IOException e) {
            throw failed(file, e);
        }
        position += end;
        end = BlockHeader.BYTES;
        count = 0;
    }

    private static IOException failed(Path file, IOException e) {
        return new IOException(
                file + " cannot be written: " + e.getMessage() + ". Make room or check the permissions", e);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the writer of " + file + " is closed");
        }
    }

    /**
     * Writes what was appended, and the end of the file, and gives the memory back. A second call does nothing.
     *
     * @throws IOException if it cannot be written; the file is closed all the same, and has no end
     */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            try (out;
                    block) {
                writeBlock();
                write();
            }
        }
    }
}
