package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.column.Table;
import io.slipstream.data.schema.Type;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

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
    private static final String LOCK = "lock";
    private static final int TEXT_CHUNK = 1 << 16;

    private final Path folder;
    private final FileChannel lock;
    private final List<Region> regions = new ArrayList<>();
    private int[] textsWritten = new int[0];
    private long[] textBytes = new long[0];
    private CRC32C[] textChecksums = new CRC32C[0];
    private long committedRows;

    private ListFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    static ListFolder create(Path folder) throws IOException {
        Files.createDirectories(folder);
        boolean wasBegun = Files.exists(folder.resolve(LOCK));
        ListFolder files = lock(folder);
        try {
            if (Files.exists(folder.resolve(ListCommit.FILE))) {
                throw new IOException(folder + " holds a list already; open it, or choose another folder");
            }
            if (wasBegun) {
                files.deleteBegun();
            }
            return files;
        } catch (Throwable e) {
            files.close();
            throw e;
        }
    }

    /** Deletes what a list leaves that was being created when its process was killed, or the disk was full. */
    private void deleteBegun() throws IOException {
        delete(folder, "{block-*,text-*,commit.next}");
        if (Files.isDirectory(folder.resolve(IDENTITY))) {
            delete(folder.resolve(IDENTITY), "{commit,commit.next,slab-*,lock}");
        }
    }

    private static void delete(Path from, String names) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, names)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    static ListFolder open(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(ListCommit.FILE))) {
            throw new NoSuchFileException(
                    folder.resolve(ListCommit.FILE).toString(), null, "there is no list in " + folder + "; create it");
        }
        return lock(folder);
    }

    private static ListFolder lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
            if (block.checkedRows() == table.rowsOf(i, rows) && !block.isChanged()) {
                checksums.add(block.checksum());
            } else {
                checksums.add(ListCommit.checksum(table, table.block(i), table.rowsOf(i, rows)));
                changed.add(i);
            }
        }
        int[] sums = Arrays.stream(textChecksums)
                .mapToInt(sum -> (int) sum.getValue())
                .toArray();
        new ListCommit(table.rowsPerBlock(), rows, checksums, textsWritten, textBytes, sums)
                .write(folder, list.schema());
        committedRows = rows;
        for (int i : changed) {
            table.block(i).markChecked(table.rowsOf(i, rows), checksums.get(i));
        }
    }

    /**
     * Before a row gets a text. The block of a row that is committed is all that is left of it if the process is
     * killed, so the file must have the text before.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    void beforeText(HugeList<?> list, int field, int code, long row) {
        if (row < committedRows && code > textsWritten[field]) {
            try {
                writeTexts(list, field);
            } catch (IOException e) {
                throw new UncheckedIOException(textFile(list, field) + " cannot be written: " + e.getMessage(), e);
            }
        }
    }

    private void writeTexts(HugeList<?> list) throws IOException {
        int fields = list.dictionaries().length;
        if (textsWritten.length == 0) {
            textsWritten = new int[fields];
            textBytes = new long[fields];
            textChecksums = newChecksums(fields);
        }
        for (int field = 0; field < fields; field++) {
            if (list.dictionaries()[field].count() > textsWritten[field]) {
                writeTexts(list, field);
            }
        }
    }

    private static CRC32C[] newChecksums(int fields) {
        return Stream.generate(CRC32C::new).limit(fields).toArray(CRC32C[]::new);
    }

    /** Appends what the file does not have yet. What is written counts chunk by chunk, so none is left half written. */
    private void writeTexts(HugeList<?> list, int field) throws IOException {
        Dictionary dictionary = list.dictionaries()[field];
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(chunk);
        // An interrupt closes a channel, and would leave the texts half written.
        try (RandomAccessFile file = new RandomAccessFile(textFile(list, field).toFile(), "rw")) {
            file.setLength(textBytes[field]);
            file.seek(textBytes[field]);
            int end = dictionary.count();
            for (int code = textsWritten[field] + 1; code <= end; code++) {
                byte[] bytes = String.valueOf(dictionary.text(code)).getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
                if (chunk.size() >= TEXT_CHUNK || code == end) {
                    byte[] all = chunk.toByteArray();
                    file.write(all);
                    textChecksums[field].update(all);
                    textBytes[field] += all.length;
                    textsWritten[field] = code;
                    chunk.reset();
                }
            }
        }
    }

    private Path textFile(HugeList<?> list, int field) {
        return folder.resolve("text-" + list.column(field).name());
    }

    void load(HugeList<?> list, ListCommit commit) throws IOException {
        textsWritten = commit.texts().clone();
        textBytes = commit.textBytes().clone();
        textChecksums = newChecksums(textsWritten.length);
        committedRows = commit.rows();
        for (int field = 0; field < textsWritten.length; field++) {
            if (textsWritten[field] > 0 || Files.exists(textFile(list, field))) {
                readTexts(list, field, commit);
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
        requireTexts(list, commit);
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

    /** Reads the committed texts, and those behind them that a change of a committed row has written. */
    private void readTexts(HugeList<?> list, int field, ListCommit commit) throws IOException {
        Path file = textFile(list, field);
        byte[] all = Files.readAllBytes(file);
        int committed = (int) commit.textBytes()[field];
        if (all.length < committed) {
            throw ListCommit.damaged(
                    file, "it has " + all.length + " bytes, of which " + committed + " were committed");
        }
        CRC32C checksum = textChecksums[field];
        checksum.update(all, 0, committed);
        if (commit.hasTextChecksums() && (int) checksum.getValue() != commit.textChecksums()[field]) {
            throw ListCommit.damaged(file, "the checksum of its " + commit.texts()[field] + " texts is wrong");
        }
        ByteBuffer in = ByteBuffer.wrap(all, 0, committed);
        Dictionary dictionary = list.dictionaries()[field];
        while (in.hasRemaining() && readText(in, dictionary)) {}
        if (in.hasRemaining() || dictionary.count() != commit.texts()[field]) {
            throw ListCommit.damaged(
                    file, "it has " + dictionary.count() + " texts instead of " + commit.texts()[field]);
        }
        in.limit(all.length);
        while (readText(in, dictionary)) {}
        checksum.update(all, committed, in.position() - committed);
        textBytes[field] = in.position();
        textsWritten[field] = dictionary.count();
    }

    /** Reads a text that is whole and new, or returns false and stays before it. */
    private static boolean readText(ByteBuffer in, Dictionary dictionary) {
        int at = in.position();
        if (in.remaining() < Integer.BYTES) {
            return false;
        }
        int length = in.getInt();
        if (length >= 0 && length <= in.remaining()) {
            String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
            if (dictionary.code(text) == 0) {
                dictionary.add(text);
                in.position(in.position() + length);
                return true;
            }
        }
        in.position(at);
        return false;
    }

    /**
     * Looks for texts that no file has in committed rows that were changed after the commit. Version 1 did not write
     * a text before its row, so there the text is lost, and the row has none.
     */
    private void requireTexts(HugeList<?> list, ListCommit commit) throws IOException {
        Table table = list.table();
        for (int i = 0; i < table.blocksOf(commit.rows()); i++) {
            Block block = table.unverifiedBlock(i);
            for (int field = 0; block.isChanged() && field < list.columns().size(); field++) {
                if (list.column(field).type() instanceof Type.Text) {
                    requireTexts(list, field, block, i, table.rowsOf(i, commit.rows()), commit.hasTextChecksums());
                }
            }
        }
    }

    private void requireTexts(HugeList<?> list, int field, Block block, int number, int rows, boolean isRequired)
            throws IOException {
        long column = list.table().offset(list.column(field).first());
        for (int i = 0; i < rows; i++) {
            int code = block.memory().get(Layouts.INT, column + 4L * i);
            if (code >= 0 && code <= textsWritten[field]) {
                continue;
            }
            if (isRequired) {
                throw ListCommit.damaged(
                        blockFile(number),
                        "row " + i + " of it has text " + code + ", but " + textFile(list, field) + " has only "
                                + textsWritten[field]);
            }
            block.memory().set(Layouts.INT, column + 4L * i, 0);
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
