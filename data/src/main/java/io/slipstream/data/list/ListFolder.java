package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Undisturbed;
import io.slipstream.data.CommitLevel;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.column.Table;
import io.slipstream.data.host.Device;
import io.slipstream.data.index.LongLongIndex;
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
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The files of a list.
 *
 * <pre>
 *   block-0, block-1, ...    blocks of columns, of their full size from the beginning; see {@link BlockFiles}
 *   text-FIELD               the texts of a dictionary: length 4, bytes; only appended to
 *   commit                   see {@link ListCommit}; replaced as a whole, by renaming
 *   identity/                the index of the identity, if there is one; identity-1/ of generation 1 of the blocks
 *   lock                     held by the process that has the list open
 * </pre>
 */
final class ListFolder implements AutoCloseable {
    static final String IDENTITY = "identity";
    private static final String LOCK = "lock";
    private static final String INDEX_FILES = "{commit,commit.next,slab-*,lock}";
    private static final Pattern IDENTITIES = Pattern.compile(IDENTITY + "(?:-(\\d+))?");
    private static final int TEXT_CHUNK = 1 << 16;

    private final Path folder;
    private final @Nullable FileChannel lock;
    private BlockFiles blocks;
    private int[] textsWritten = new int[0];
    private long[] textBytes = new long[0];
    private CRC32C[] textChecksums = new CRC32C[0];
    private long committedRows;

    private ListFolder(Path folder, @Nullable FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
        this.blocks = new BlockFiles(folder, 0);
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
            delete(folder.resolve(IDENTITY), INDEX_FILES);
        }
    }

    private static void delete(Path from, String names) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, names)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /** Opens the files of a list that another process may have open, and changes none. */
    static ListFolder openReadOnly(Path folder) throws IOException {
        requireList(folder);
        return new ListFolder(folder, null);
    }

    boolean isReadOnly() {
        return lock == null;
    }

    /** Returns where the blocks are. */
    BlockFiles blocks() {
        return blocks;
    }

    /** Opens the generation of blocks that a commit has; before the table is made. */
    void use(ListCommit commit) {
        blocks = new BlockFiles(folder, commit.generation());
    }

    static ListFolder open(Path folder) throws IOException {
        requireList(folder);
        return lock(folder);
    }

    private static void requireList(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(ListCommit.FILE))) {
            throw new NoSuchFileException(
                    folder.resolve(ListCommit.FILE).toString(), null, "there is no list in " + folder + "; create it");
        }
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

    /**
     * Commits the first rows alone. Nothing that the former commit needs is changed before the new one is on the
     * device. A block that loses some of its rows goes on in another file, so that processes which have opened the list
     * for reading keep theirs.
     */
    void commitFirst(HugeList<?> list, long rows) throws IOException {
        Table table = list.table();
        if ((rows & table.rowsPerBlock() - 1) == 0) {
            commit(list, rows, CommitLevel.SYNC);
            return;
        }
        int last = table.blocksOf(rows) - 1;
        Region copy = blocks.copied(table.block(last), last);
        try {
            commit(list, rows, CommitLevel.SYNC);
            blocks.moveCopy(last);
        } catch (Throwable e) {
            copy.close();
            throw e;
        }
        blocks.replace(table, last, copy);
    }

    /** Deletes the files of blocks that are given back. */
    void deleteBlocks(int from, int to) throws IOException {
        blocks.delete(from, to);
    }

    /** Commits the first rows of a list: all, or those that are to be left. */
    void commit(HugeList<?> list, long rows, CommitLevel level) throws IOException {
        commit(list, list.table(), blocks, rows, level);
    }

    private void commit(HugeList<?> list, Table table, BlockFiles files, long rows, CommitLevel level)
            throws IOException {
        writeTexts(list);
        List<Integer> checksums = new ArrayList<>();
        List<Integer> changed = new ArrayList<>();
        for (int i = 0; i < table.blocksOf(rows); i++) {
            Block block = table.unverifiedBlock(i);
            if (block.checkedRows() == table.rowsOf(i, rows) && !block.isChanged()) {
                checksums.add(block.checksum());
            } else {
                checksums.add(ListCommit.checksum(table, table.block(i), table.rowsOf(i, rows)));
                changed.add(i);
                files.markUnforced(i);
            }
        }
        if (level == CommitLevel.SYNC) {
            files.force();
            forceTexts(list);
        }
        int[] sums = Arrays.stream(textChecksums)
                .mapToInt(sum -> (int) sum.getValue())
                .toArray();
        new ListCommit(
                        list.schema().toString(),
                        files.generation(),
                        table.rowsPerBlock(),
                        rows,
                        checksums,
                        textsWritten,
                        textBytes,
                        sums)
                .write(folder, level);
        committedRows = rows;
        for (int i : changed) {
            table.block(i).markChecked(table.rowsOf(i, rows), checksums.get(i));
        }
    }

    /** Returns where the identities of a generation of blocks are. */
    Path identity(int generation) {
        return folder.resolve(generation == 0 ? IDENTITY : IDENTITY + "-" + generation);
    }

    /**
     * Begins a new generation of blocks. It comes after that of the commit on the disk, which may be ahead of this
     * list if forcing it has failed.
     */
    BlockFiles nextBlocks() throws IOException {
        BlockFiles next = new BlockFiles(
                folder, Math.max(blocks.generation(), ListCommit.read(folder).generation()) + 1);
        deleteGenerations(generation -> generation == next.generation());
        return next;
    }

    /** Commits rows that lie in another generation of blocks, which come in the place of those that the list has. */
    void commitNext(HugeList<?> list, Table table, BlockFiles next, @Nullable LongLongIndex rows) throws IOException {
        if (rows != null) {
            rows.commit(CommitLevel.SYNC);
        }
        next.force();
        writeTexts(list);
        forceTexts(list);
        // The new files and their names are there before the commit that needs them.
        Device.forceFolder(folder);
        commit(list, table, next, table.rows(), CommitLevel.SYNC);
        blocks = next;
    }

    /** Deletes a generation that did not come in place of the former one, unless the commit on the disk has it. */
    void discard(BlockFiles next) throws IOException {
        if (ListCommit.read(folder).generation() != next.generation()) {
            deleteGenerations(generation -> generation == next.generation());
        }
    }

    /** Deletes the files of all other generations than that of the list. */
    void deleteOthers() throws IOException {
        deleteGenerations(generation -> generation != blocks.generation());
    }

    private void deleteGenerations(IntPredicate which) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "{block-*,identity*}")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher matcher = IDENTITIES.matcher(name);
                if (matcher.matches()) {
                    String number = matcher.group(1);
                    if (which.test(number == null ? 0 : Integer.parseInt(number))) {
                        delete(file, INDEX_FILES);
                        Files.delete(file);
                    }
                } else {
                    int generation = BlockFiles.generationOf(name);
                    if (generation >= 0 && which.test(generation)) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    private void forceTexts(HugeList<?> list) throws IOException {
        for (int field = 0; field < textsWritten.length; field++) {
            if (textsWritten[field] > 0) {
                Device.forceFile(textFile(list, field));
            }
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

    /** Loads what a commit says, and adds the columns that it does not have yet. */
    void load(HugeList<?> list, ListCommit commit, EarlierSchema kept) throws IOException {
        int fields = list.columns().size();
        boolean isEarlier = kept.columns() < list.table().columns();
        textsWritten = Arrays.copyOf(commit.texts(), fields);
        textBytes = Arrays.copyOf(commit.textBytes(), fields);
        textChecksums = newChecksums(fields);
        committedRows = commit.rows();
        for (int field = 0; field < kept.fields(); field++) {
            if (textsWritten[field] > 0 || Files.exists(textFile(list, field))) {
                readTexts(list, field, commit);
            }
        }
        Table table = list.table();
        if (isEarlier) {
            verifyEarlier(table, kept.columns(), commit);
        }
        List<Block> opened = new ArrayList<>();
        for (int i = 0; i < commit.checksums().size(); i++) {
            Path file = blocks.file(i);
            int rows = rowsOf(table, commit, i);
            int checksum = commit.checksums().get(i);
            if (isEarlier) {
                opened.add(grown(table, kept.columns(), file));
                continue;
            }
            Region region = isReadOnly() ? Region.openReadOnly(file) : Region.open(file);
            blocks.add(region);
            if (region.byteSize() != table.blockBytes()) {
                throw ListCommit.damaged(
                        file, "it has " + region.byteSize() + " bytes instead of " + table.blockBytes());
            }
            int number = i;
            Block block = new Block(region.segment());
            Runnable firstUse = isReadOnly()
                    ? () -> verifyBeside(table, number, block, rows, checksum)
                    : () -> verify(table, table.columns(), file, block, rows, checksum);
            opened.add(new Block(region.segment(), rows, checksum, firstUse));
        }
        table.adopt(opened, commit.rows());
        if (!isReadOnly()) {
            requireTexts(list, commit);
            try {
                list.clearAfterLast();
                for (int field = kept.fields(); field < fields; field++) {
                    list.fillDefault(field);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        if (isEarlier) {
            list.commit();
        }
        if (!isReadOnly()) {
            deleteOthers();
        }
    }

    private static int rowsOf(Table table, ListCommit commit, int block) {
        return (int) Math.min(table.rowsPerBlock(), commit.rows() - (long) block * table.rowsPerBlock());
    }

    private static void verify(Table table, int columns, Path file, Block block, int rows, int checksum) {
        if (!block.isChanged() && ListCommit.checksum(table, columns, block, rows) != checksum) {
            throw new UncheckedIOException(ListCommit.damaged(file, "the checksum of its " + rows + " rows is wrong"));
        }
    }

    /**
     * Compares a block that another process may be changing. A checksum that is wrong says nothing if a row was changed
     * meanwhile, or if the block was committed anew: then it is compared with that commit.
     */
    private void verifyBeside(Table table, int number, Block block, int rows, int checksum) {
        int itsRows = rows;
        int itsChecksum = checksum;
        while (!block.isChanged() && ListCommit.checksum(table, block, itsRows) != itsChecksum && !block.isChanged()) {
            try {
                ListCommit newer = ListCommit.read(folder);
                refuseRemoved(newer);
                if (number >= newer.checksums().size()
                        || rowsOf(table, newer, number) == itsRows
                                && newer.checksums().get(number) == itsChecksum) {
                    throw ListCommit.damaged(blocks.file(number), "the checksum of its " + itsRows + " rows is wrong");
                }
                itsRows = rowsOf(table, newer, number);
                itsChecksum = newer.checksums().get(number);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Refuses to go on with rows that the process which changes the list has taken away. */
    private void refuseRemoved(ListCommit newer) throws IOException {
        if (newer.generation() != blocks.generation()) {
            throw new IOException("rows of " + folder + " were removed since it was opened here; open it again");
        }
        if (newer.rows() < committedRows) {
            throw new IOException(folder + " was truncated from " + committedRows + " to " + newer.rows()
                    + " rows since it was opened here; open it again");
        }
    }

    /** Compares all blocks of an earlier schema with their checksums, before one of them grows. */
    private void verifyEarlier(Table table, int columns, ListCommit commit) throws IOException {
        long bytes = table.blockBytes(columns);
        for (int i = 0; i < commit.checksums().size(); i++) {
            Path file = blocks.file(i);
            try (Region region = Region.openReadOnly(file)) {
                if (region.byteSize() < bytes) {
                    throw ListCommit.damaged(file, "it has " + region.byteSize() + " bytes instead of " + bytes);
                }
                Block block = new Block(region.segment());
                verify(
                        table,
                        columns,
                        file,
                        block,
                        rowsOf(table, commit, i),
                        commit.checksums().get(i));
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /** Opens a block of an earlier schema, whose columns are the first, and makes room for the others, all zero. */
    private Block grown(Table table, int columns, Path file) throws IOException {
        long bytes = table.blockBytes(columns);
        Undisturbed.call(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                // What a process has added that was killed before it committed.
                channel.truncate(bytes);
                ByteBuffer zeros = ByteBuffer.allocate(TEXT_CHUNK);
                for (long at = bytes; at < table.blockBytes(); ) {
                    zeros.clear().limit((int) Math.min(zeros.capacity(), table.blockBytes() - at));
                    at += channel.write(zeros, at);
                }
            }
            return file;
        });
        Region region = Region.open(file);
        blocks.add(region);
        return new Block(region.segment());
    }

    /**
     * In a list that is read beside the process that changes it: reads texts that were not there when it was opened.
     */
    void requireText(HugeList<?> list, int field, int code) {
        Dictionary dictionary = list.dictionaries()[field];
        if (code > dictionary.count()) {
            synchronized (this) {
                try {
                    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(textFile(list, field)));
                    in.position((int) textBytes[field]);
                    while (readText(in, dictionary)) {}
                    textBytes[field] = in.position();
                    if (code > dictionary.count()) {
                        throw ListCommit.damaged(
                                textFile(list, field),
                                "it has " + dictionary.count() + " texts, but a row has text " + code);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
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
                        blocks.file(number),
                        "row " + i + " of it has text " + code + ", but " + textFile(list, field) + " has only "
                                + textsWritten[field]);
            }
            block.memory().set(Layouts.INT, column + 4L * i, 0);
        }
    }

    @Override
    public void close() {
        if (lock == null) {
            return;
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release " + folder, e);
        }
    }
}
