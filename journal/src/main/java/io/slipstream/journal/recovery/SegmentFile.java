package io.slipstream.journal.recovery;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A segment file and what its first block is.
 *
 * @param number  in its name
 * @param name    of the file
 * @param kind    of the first block
 * @param version of the format, if the kind says that it is another one
 * @param header  if it is valid
 */
public record SegmentFile(
        long number,
        String name,
        SegmentHeader.Kind kind,
        int version,
        @Nullable SegmentHeader header) {
    /** One for each thread, as a folder may have a hundred thousand segments. */
    private static final ThreadLocal<ByteBuffer> BLOCK =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(2 * SegmentHeader.BYTES)
                    .alignedSlice(SegmentHeader.BYTES)
                    .slice(0, SegmentHeader.BYTES));

    /** Looks at the files of a folder. */
    public interface Look<T> {
        /** Returns what is there; begins anew with each call. */
        T look() throws IOException;
    }

    /** Looks again as long as a segment is removed in the middle of it, which a service beside does when it trims. */
    public static <T> T lookBesideTrims(Storage storage, Look<T> look) throws IOException {
        while (true) {
            List<Long> before = numbers(storage);
            try {
                return look.look();
            } catch (NoSuchFileException e) {
                if (numbers(storage).containsAll(before)) {
                    throw e;
                }
            }
        }
    }

    /** Returns the header of a segment or a snapshot, or null if it has no good one. */
    static @Nullable SegmentHeader readHeader(Storage storage, String name) throws IOException {
        ByteBuffer block = readBlock(storage, name);
        return SegmentHeader.kind(block) == SegmentHeader.Kind.VALID ? SegmentHeader.read(block) : null;
    }

    private static ByteBuffer readBlock(Storage storage, String name) throws IOException {
        ByteBuffer block = BLOCK.get();
        try (StorageFile file = storage.openForReading(name)) {
            file.readFully(block.clear(), 0);
        }
        return block.flip();
    }

    /** Looks at all segment files of a folder, in the order of their numbers. */
    public static List<SegmentFile> list(Storage storage) throws IOException {
        return lookBesideTrims(storage, () -> {
            List<SegmentFile> files = new ArrayList<>();
            for (long number : numbers(storage)) {
                files.add(read(storage, number));
            }
            return files;
        });
    }

    /** Returns the numbers of all segment files of a folder, ascending. */
    public static List<Long> numbers(Storage storage) throws IOException {
        List<Long> numbers = new ArrayList<>();
        for (String name : storage.list()) {
            OptionalLong number = FileName.parse(name);
            if (number.isPresent()) {
                numbers.add(number.getAsLong());
            }
        }
        numbers.sort(null);
        return numbers;
    }

    /** Looks at one segment file. */
    public static SegmentFile read(Storage storage, long number) throws IOException {
        String name = FileName.of(number);
        ByteBuffer block = readBlock(storage, name);
        SegmentHeader.Kind kind = SegmentHeader.kind(block);
        return new SegmentFile(
                number,
                name,
                kind,
                kind == SegmentHeader.Kind.OTHER_VERSION ? SegmentHeader.version(block) : SegmentHeader.VERSION,
                kind == SegmentHeader.Kind.VALID ? SegmentHeader.read(block) : null);
    }
}
