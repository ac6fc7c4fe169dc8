package io.slipstream.data.container;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.evolution.Change;
import io.slipstream.data.evolution.Changes;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.wire.Bytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads the values of a container file, in their order.
 *
 * <pre>{@code
 *   try (var in = ContainerFileReader.open(Path.of("orders.msgs"), ORDERS)) {
 *     while (in.next()) {
 *       Order order = in.value();
 *     }
 *   }
 * }</pre>
 *
 * <p>A block is compared with its checksum before a value of it is read. Where the file ends within a block, its writer
 * was killed, or is still writing: {@link #next} returns false there, and {@link #tornBytes} says how much there is of
 * the block. A later call looks again, so a reader may follow a writer. {@link #isComplete} says whether the writer
 * closed the file, so that nothing is missing at its end.
 *
 * <p>One thread. To read a value into an object that there is already, or through a flyweight, use {@link #memory},
 * {@link #offset} and {@link #length}: then no garbage is made for it.
 *
 * @param <T> the type of the values
 */
public final class ContainerFileReader<T> implements AutoCloseable {
    private static final int LEAST_BYTES = 1 << 16;

    private final Path file;
    private final Definitions definitions;
    private final Decoder<T> decoder;
    private final RandomAccessFile in;
    private final BlockHeader header = new BlockHeader();
    private final BlockMemory block = new BlockMemory(LEAST_BYTES);
    private long position;
    private int left;
    private int end;
    private int offset;
    private int length;
    private boolean hasValue;
    private boolean isComplete;
    private boolean isClosed;
    private long tornBytes;

    /** What makes a value of a message. */
    private interface Decoder<T> {
        T decode(MemorySegment memory, long offset, int length);
    }

    private ContainerFileReader(
            Path file, FileHeader header, Definitions definitions, Decoder<T> decoder, RandomAccessFile in) {
        this.file = file;
        this.definitions = definitions;
        this.decoder = decoder;
        this.in = in;
        this.position = header.length();
    }

    /**
     * Opens a file, whose schema must be a version of that of the codec, older or newer: it has what the codec's has in
     * the same places, and constants of enums in the same order.
     *
     * @throws IOException if there is no such file, it is none or damaged, or is of another schema: the message says
     *         which differences there are
     */
    public static <T> ContainerFileReader<T> open(Path file, Codec<T> codec) throws IOException {
        Definitions own = codec.schema().definitions();
        return open(file, codec::decode, written -> requireReadable(file, written, own));
    }

    /**
     * Opens a file for a tool that knows no type: its values are the bytes of the messages, which last until the next
     * call of {@link #next}. {@link #definitions} say what they look like.
     *
     * @throws IOException if there is no such file, or it is none or damaged
     */
    public static ContainerFileReader<MemorySegment> openBytes(Path file) throws IOException {
        return open(
                file, (memory, offset, length) -> memory.asSlice(offset, length).asReadOnly(), _ -> {});
    }

    /** Returns whether this is a file that begins as container files do. */
    public static boolean isContainerFile(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            return FileHeader.isAt(in);
        }
    }

    /** What is required of a schema. */
    private interface Requirement {
        void check(Definitions written) throws IOException;
    }

    private static <T> ContainerFileReader<T> open(Path file, Decoder<T> decoder, Requirement requirement)
            throws IOException {
        requireFile(file);
        RandomAccessFile in = new RandomAccessFile(file.toFile(), "r");
        try {
            FileHeader header = FileHeader.read(in, file);
            Definitions definitions = parse(file, header.schema());
            requirement.check(definitions);
            return new ContainerFileReader<>(file, header, definitions, decoder, in);
        } catch (Throwable e) {
            in.close();
            throw e;
        }
    }

    private static void requireFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such file");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(
                    file + (Files.isDirectory(file) ? " is a folder; name a file in it" : " is no regular file"));
        }
    }

    private static Definitions parse(Path file, String schema) throws IOException {
        try {
            return Definitions.parse(schema);
        } catch (SchemaException e) {
            throw FileHeader.damaged(file, "its schema is none: " + e.getMessage());
        }
    }

    private static void requireReadable(Path file, Definitions written, Definitions own) throws IOException {
        String why = difference(file, written, own);
        if (!why.isEmpty()) {
            throw new IOException(file + " is of another schema: " + why + ". It was written with:\n" + written
                    + "\nand is opened with:\n" + own + "\nOpen it with a version of the type it was written with");
        }
    }

    private static String difference(Path file, Definitions written, Definitions own) throws IOException {
        String name = written.all().getFirst().name();
        if (!name.equals(own.all().getFirst().name())) {
            return name + " is not " + own.all().getFirst().name();
        }
        try {
            List<Change> obstacles = written.equals(own) ? List.of() : Changes.obstacles(written, own);
            return obstacles.stream()
                    .map(change -> change.where() + ": " + change.what())
                    .collect(Collectors.joining("; "));
        } catch (SchemaException e) {
            throw FileHeader.damaged(file, "its schema cannot be compared: " + e.getMessage());
        }
    }

    /** Returns the schema that the file was written with. */
    public Definitions definitions() {
        return definitions;
    }

    /**
     * Goes to the next value.
     *
     * @return false if there is none: at the end, or where the file ends within a block
     * @throws IOException if the file cannot be read, or is damaged: the message says where. Each further call throws,
     *         too; the values before were whole
     * @throws IllegalStateException if the reader is closed
     */
    public boolean next() throws IOException {
        requireOpen();
        hasValue = false;
        if (left == 0 && !nextBlock()) {
            return false;
        }
        int at = offset + length;
        int bytes = end - at < Integer.BYTES ? -1 : Bytes.getInt(block.memory(), at);
        int begin = at + Integer.BYTES;
        if (bytes < 0 || bytes > end - begin || left == 1 && bytes != end - begin) {
            throw damagedBlock(position - end, "its messages do not fill it");
        }
        offset = begin;
        length = bytes;
        left--;
        hasValue = true;
        return true;
    }

    /** Reads the next block, unless there is none that is whole. */
    private boolean nextBlock() throws IOException {
        long rest = in.length() - position;
        tornBytes = 0;
        if (isComplete) {
            requireNothingBehind(rest);
            return false;
        }
        if (rest < 0) {
            throw FileHeader.damaged(file, "it was cut to " + in.length() + " bytes while it was read");
        }
        if (rest < BlockHeader.BYTES) {
            tornBytes = rest;
            return false;
        }
        block.read(in, position, 0, BlockHeader.BYTES);
        int bytes = BlockHeader.bytes(block.memory());
        int count = BlockHeader.count(block.memory());
        if (!header.isWhole(block.memory(), position)) {
            throw damagedBlock(position, "the checksum of its header is wrong");
        }
        if (count < 0
                || bytes < (long) count * Integer.BYTES
                || bytes > Integer.MAX_VALUE - BlockHeader.BYTES
                || count == 0 && bytes > 0) {
            throw damagedBlock(position, "it cannot have " + count + " messages in " + bytes + " bytes");
        }
        if (bytes > rest - BlockHeader.BYTES) {
            tornBytes = rest;
            return false;
        }
        int blockEnd = BlockHeader.BYTES + bytes;
        block.require(blockEnd, BlockHeader.BYTES);
        block.read(in, position, BlockHeader.BYTES, blockEnd);
        if (!header.areWhole(block.memory(), block.buffer(), blockEnd)) {
            throw damagedBlock(position, "the checksum of its " + count + " messages is wrong");
        }
        position += blockEnd;
        end = blockEnd;
        offset = BlockHeader.BYTES;
        length = 0;
        left = count;
        isComplete = count == 0;
        if (isComplete) {
            requireNothingBehind(rest - blockEnd);
        }
        return count > 0;
    }

    private void requireNothingBehind(long rest) throws IOException {
        if (rest != 0) {
            throw FileHeader.damaged(file, "it goes on behind its end at byte " + position);
        }
    }

    private IOException damagedBlock(long at, String how) {
        return FileHeader.damaged(file, "in its block at byte " + at + ", " + how);
    }

    /**
     * Returns the value.
     *
     * @throws io.slipstream.data.DecodeException if the codec does not know the value, such as a constant that a newer
     *         version has added; {@link #next} goes on behind it
     * @throws IllegalStateException if there is none: {@link #next} was not called, or returned false
     */
    public T value() {
        requireValue();
        return decoder.decode(block.memory(), offset, length);
    }

    /** Returns the memory in which the value's bytes are, until the next call of {@link #next}. */
    public MemorySegment memory() {
        requireValue();
        return block.memory();
    }

    /** Returns where the value's bytes begin in the memory. */
    public int offset() {
        requireValue();
        return offset;
    }

    /** Returns how many bytes the value has. */
    public int length() {
        requireValue();
        return length;
    }

    /** Returns where the value's bytes begin in the file. */
    public long position() {
        requireValue();
        return position - end + offset;
    }

    /** Returns whether {@link #next} has come to the end that the writer writes when it is closed. */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Returns how many bytes there are of a block that the file ends in: what a writer leaves that is killed while it
     * writes. Known once {@link #next} has returned false; 0 if the file ends behind a block.
     */
    public long tornBytes() {
        return tornBytes;
    }

    private void requireValue() {
        requireOpen();
        if (!hasValue) {
            throw new IllegalStateException("there is no value; call next() until it returns false");
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the reader of " + file + " is closed");
        }
    }

    /** Closes the file and gives the memory back. A second call does nothing. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            try (in;
                    block) {
                hasValue = false;
            }
        }
    }
}
