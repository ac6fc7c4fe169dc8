package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.Table;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a list.
 *
 * <pre>
 *   block-0, block-1, ...    blocks of columns, of their full size from the beginning
 *   text-FIELD               the texts of a dictionary: length 4, bytes; only appended to
 *   commit                   see {@link ListCommit}; replaced as a whole, by renaming
 *   identity/                the index of the identity, if there is one
 *   lock                     held by the process that has the list open
 * </pre>
 */
final class ListFolder implements BlockStore {
    static final String IDENTITY = "identity";

    private final Path folder;
    private final FileChannel lock;
    private final List<Region> regions = new ArrayList<>();
    private int[] textsWritten = new int[0];
    private long[] textBytes = new long[0];

    private ListFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    static ListFolder create(Path folder) throws IOException {
        Files.createDirectories(folder);
        ListFolder files = lock(folder);
        if (Files.exists(folder.resolve(ListCommit.FILE))) {
            files.close();
            throw new IOException(folder + " holds a list already; open it, or choose another folder");
        }
        return files;
    }

    static ListFolder lock(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString(), null, "there is no list");
        }
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new ListFolder(folder, channel);
            }
        } catch (OverlappingFileLockException e) {
            // Said below.
        }
        channel.close();
        throw new IOException(folder + " is open already, here or in another process; close it there first");
    }

    private Path blockFile(int number) {
        return folder.resolve("block-" + number);
    }

    @Override
    public Block allocate(int number, long bytes) {
        try {
            // What was added before a crash and not committed.
            Files.deleteIfExists(blockFile(number));
            Region region = Region.create(blockFile(number), bytes);
            regions.add(region);
            return new Block(region.segment());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    void commit(HugeList<?> list) throws IOException {
        writeTexts(list);
        Table table = list.table();
        long rows = table.rows();
        List<Integer> checksums = new ArrayList<>();
        List<Integer> changed = new ArrayList<>();
        for (int i = 0; i < table.blockCount(); i++) {
            Block block = table.unverifiedBlock(i);
            if (block.checkedRows() == table.rowsOf(i) && !block.isChanged()) {
                checksums.add(block.checksum());
            } else {
                checksums.add(ListCommit.checksum(table, table.block(i), table.rowsOf(i)));
                changed.add(i);
            }
        }
        new ListCommit(table.rowsPerBlock(), rows, checksums, textsWritten, textBytes).write(folder, list.schema());
        for (int i : changed) {
            table.block(i).markChecked(table.rowsOf(i), checksums.get(i));
        }
    }

    private void writeTexts(HugeList<?> list) throws IOException {
        Dictionary[] dictionaries = list.dictionaries();
        if (textsWritten.length == 0) {
            textsWritten = new int[dictionaries.length];
            textBytes = new long[dictionaries.length];
        }
        for (int field = 0; field < dictionaries.length; field++) {
            Dictionary dictionary = dictionaries[field];
            if (!(list.column(field).type() instanceof Type.Text) || dictionary.count() == textsWritten[field]) {
                continue;
            }
            try (FileChannel channel =
                    FileChannel.open(textFile(list, field), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.truncate(textBytes[field]).position(textBytes[field]);
                for (int code = textsWritten[field] + 1; code <= dictionary.count(); code++) {
                    byte[] bytes = String.valueOf(dictionary.text(code)).getBytes(StandardCharsets.UTF_8);
                    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + bytes.length)
                            .putInt(bytes.length)
                            .put(bytes)
                            .flip();
                    while (out.hasRemaining()) {
                        channel.write(out);
                    }
                }
                textBytes[field] = channel.position();
                textsWritten[field] = dictionary.count();
            }
        }
    }

    private Path textFile(HugeList<?> list, int field) {
        return folder.resolve("text-" + list.column(field).name());
    }

    void load(HugeList<?> list, ListCommit commit) throws IOException {
        textsWritten = commit.texts().clone();
        textBytes = commit.textBytes().clone();
        for (int field = 0; field < textsWritten.length; field++) {
            if (textsWritten[field] > 0) {
                readTexts(list, field);
            }
        }
        Table table = list.table();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < commit.checksums().size(); i++) {
            Path file = blockFile(i);
            Region region = Region.open(file);
            regions.add(region);
            if (region.byteSize() != table.blockBytes()) {
                throw ListCommit.damaged(
                        file, "it has " + region.byteSize() + " bytes instead of " + table.blockBytes());
            }
            int rows = (int) Math.min(table.rowsPerBlock(), commit.rows() - (long) i * table.rowsPerBlock());
            int checksum = commit.checksums().get(i);
            blocks.add(new Block(
                    region.segment(),
                    rows,
                    checksum,
                    () -> verify(table, file, new Block(region.segment()), rows, checksum)));
        }
        table.adopt(blocks, commit.rows());
        try {
            list.clearAfterLast();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void verify(Table table, Path file, Block block, int rows, int checksum) {
        if (!block.isChanged() && ListCommit.checksum(table, block, rows) != checksum) {
            throw new UncheckedIOException(ListCommit.damaged(file, "the checksum of its " + rows + " rows is wrong"));
        }
    }

    private void readTexts(HugeList<?> list, int field) throws IOException {
        Path file = textFile(list, field);
        byte[] all = Files.readAllBytes(file);
        if (all.length < textBytes[field]) {
            throw ListCommit.damaged(
                    file, "it has " + all.length + " bytes, of which " + textBytes[field] + " were committed");
        }
        ByteBuffer in = ByteBuffer.wrap(all, 0, (int) textBytes[field]);
        Dictionary dictionary = list.dictionaries()[field];
        while (in.remaining() >= Integer.BYTES) {
            int length = in.getInt();
            if (length < 0 || length > in.remaining()) {
                throw ListCommit.damaged(
                        file, "a text of " + length + " bytes at offset " + (in.position() - Integer.BYTES));
            }
            dictionary.add(new String(all, in.position(), length, StandardCharsets.UTF_8));
            in.position(in.position() + length);
        }
        if (dictionary.count() != textsWritten[field]) {
            throw ListCommit.damaged(file, "it has " + dictionary.count() + " texts instead of " + textsWritten[field]);
        }
    }

    @Override
    public void close() {
        regions.forEach(Region::close);
        regions.clear();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release " + folder, e);
        }
    }
}
