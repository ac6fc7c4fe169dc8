package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.data.CommitLevel;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.SealedColumns;
import io.slipstream.data.column.Table;
import io.slipstream.data.host.Device;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a list.
 *
 * <pre>
 *   block-0, block-1, ...    blocks of columns, of their full size from the beginning; see {@link BlockFiles}
 *   block-0.sealed, ...      sealed blocks, each in the place of the other file
 *   text-FIELD               the texts of a dictionary: length 4, bytes; only appended to
 *   commit                   see {@link ListCommit}; replaced as a whole, by renaming
 *   identity/                the index of the identity, if there is one; identity-1/ of generation 1 of the blocks
 *   lock                     held by the process that has the list open
 * </pre>
 */
final class ListFolder implements AutoCloseable {
    private static final String LOCK = "lock";

    private final Path folder;
    private final @Nullable FileChannel lock;
    private BlockFiles blocks;
    private List<TextFile> texts = List.of();
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
        BlockFiles.delete(folder, "{block-*,text-*,commit.next}");
        BlockFiles.deleteIdentity(identity(0));
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

    /** Takes a file for each dictionary. */
    void keepTexts(List<Column> columns, Dictionary[] dictionaries) {
        List<TextFile> all = new ArrayList<>();
        for (int field = 0; field < dictionaries.length; field++) {
            all.add(new TextFile(folder.resolve("text-" + columns.get(field).name()), dictionaries[field]));
        }
        texts = all;
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
        writeTexts();
        List<Integer> checksums = new ArrayList<>();
        List<Integer> changed = new ArrayList<>();
        List<Integer> sealed = new ArrayList<>();
        for (int i = 0; i < table.blocksOf(rows); i++) {
            Block block = table.unverifiedBlock(i);
            if (block.sealed() != null) {
                sealed.add(i);
            }
            if (block.checkedRows() == table.rowsOf(i, rows) && !block.isChanged()) {
                checksums.add(block.checksum());
            } else {
                int columns = table.layout().columns();
                checksums.add(table.block(i).checksumOf(table.layout(), columns, table.rowsOf(i, rows)));
                changed.add(i);
                files.markUnforced(i);
            }
        }
        if (level == CommitLevel.SYNC) {
            files.force();
            forceTexts();
            if (files.hasFormer()) {
                // The names of the new files are there before the commit that needs them.
                Device.forceFolder(folder);
            }
        }
        new ListCommit(
                        list.schema().toString(),
                        files.generation(),
                        table.layout().isOfColumns()
                                ? List.of()
                                : table.layout().groups(),
                        table.rowsPerBlock(),
                        rows,
                        checksums,
                        sealed,
                        texts.stream().mapToInt(TextFile::written).toArray(),
                        texts.stream().mapToLong(TextFile::bytes).toArray(),
                        texts.stream().mapToInt(TextFile::checksum).toArray())
                .write(folder, level);
        committedRows = rows;
        for (int i : changed) {
            table.block(i).markChecked(table.rowsOf(i, rows), checksums.get(i));
        }
        files.deleteFormer();
    }

    /** Returns where the identities of a generation of blocks are. */
    Path identity(int generation) {
        return BlockFiles.identity(folder, generation);
    }

    /**
     * Begins a new generation of blocks. It comes after that of the commit on the disk, which may be ahead of this
     * list if forcing it has failed.
     */
    BlockFiles nextBlocks() throws IOException {
        BlockFiles next = new BlockFiles(
                folder, Math.max(blocks.generation(), ListCommit.read(folder).generation()) + 1);
        BlockFiles.delete(folder, generation -> generation == next.generation());
        return next;
    }

    /** Commits rows that lie in another generation of blocks, which come in the place of those that the list has. */
    void commitNext(HugeList<?> list, Table table, BlockFiles next, @Nullable LongLongIndex rows) throws IOException {
        if (rows != null) {
            rows.commit(CommitLevel.SYNC);
        }
        next.force();
        writeTexts();
        forceTexts();
        // The new files and their names are there before the commit that needs them.
        Device.forceFolder(folder);
        commit(list, table, next, table.rows(), CommitLevel.SYNC);
        blocks = next;
    }

    /** Deletes a generation that did not come in place of the former one, unless the commit on the disk has it. */
    void discard(BlockFiles next) throws IOException {
        if (ListCommit.read(folder).generation() != next.generation()) {
            BlockFiles.delete(folder, generation -> generation == next.generation());
        }
    }

    /** Deletes the files of all other generations than that of the list. */
    void deleteOthers() throws IOException {
        BlockFiles.delete(folder, generation -> generation != blocks.generation());
    }

    private void forceTexts() throws IOException {
        for (TextFile text : texts) {
            text.force();
        }
    }

    /**
     * Before a row gets a text. The block of a row that is committed is all that is left of it if the process is
     * killed, so the file must have the text before.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    void beforeText(int field, int code, long row) {
        if (row < committedRows) {
            texts.get(field).writeBefore(code);
        }
    }

    private void writeTexts() throws IOException {
        for (TextFile text : texts) {
            text.write();
        }
    }

    /** Loads what a commit says, and adds the columns that it does not have yet. */
    void load(HugeList<?> list, ListCommit commit, EarlierSchema kept) throws IOException {
        int fields = list.columns().size();
        boolean isEarlier = kept.columns() < list.table().layout().columns();
        committedRows = commit.rows();
        for (int field = 0; field < kept.fields(); field++) {
            if (commit.texts()[field] > 0 || texts.get(field).exists()) {
                texts.get(field).read(commit, field);
            }
        }
        Table table = list.table();
        BlockLayout layout = table.layout();
        if (isEarlier) {
            kept.verify(table, blocks, commit);
        }
        List<Block> opened = new ArrayList<>();
        for (int i = 0; i < commit.checksums().size(); i++) {
            int rows = commit.rowsOf(i);
            int checksum = commit.checksums().get(i);
            boolean isSealed = commit.isSealed(i);
            if (isEarlier) {
                opened.add(isSealed ? kept.unsealed(table, blocks, i) : kept.grown(table, blocks, i));
                continue;
            }
            Path file = isSealed ? blocks.sealedFile(i) : blocks.file(i);
            Region region = isReadOnly() ? Region.openReadOnly(file) : Region.open(file);
            blocks.add(region, isSealed);
            SealedColumns sealed = isSealed ? sealed(layout, layout.columns(), region, file, rows) : null;
            if (!isSealed && region.byteSize() != layout.bytes()) {
                throw ListCommit.damaged(file, "it has " + region.byteSize() + " bytes instead of " + layout.bytes());
            }
            int number = i;
            Block block = new Block(region.segment(), sealed);
            Runnable firstUse = isReadOnly()
                    ? () -> verifyBeside(table, number, file, block, rows, checksum)
                    : () -> ListCommit.verify(layout, layout.columns(), file, block, rows, checksum);
            opened.add(new Block(region.segment(), sealed, rows, checksum, firstUse));
        }
        table.adopt(opened, commit.rows());
        if (!isReadOnly()) {
            requireTexts(list, commit);
            try {
                list.appender().clearAfterLast();
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
            blocks.deleteLeft();
        }
    }

    /** Reads the directory of a sealed block. */
    static SealedColumns sealed(BlockLayout layout, int columns, Region region, Path file, int rows)
            throws IOException {
        if (rows != layout.rowsPerBlock()) {
            throw ListCommit.damaged(file, "it is sealed with " + rows + " of " + layout.rowsPerBlock() + " rows");
        }
        try {
            return SealedColumns.read(layout, columns, region.segment());
        } catch (IllegalArgumentException e) {
            throw ListCommit.damaged(file, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Compares a block that another process may be changing. A checksum that is wrong says nothing if a row was changed
     * meanwhile, or if the block was committed anew: then it is compared with that commit.
     */
    private void verifyBeside(Table table, int number, Path file, Block block, int rows, int checksum) {
        int itsRows = rows;
        int itsChecksum = checksum;
        BlockLayout layout = table.layout();
        while (!block.isChanged()
                && block.checksumOf(layout, layout.columns(), itsRows) != itsChecksum
                && !block.isChanged()) {
            try {
                ListCommit newer = ListCommit.read(folder);
                refuseRemoved(newer);
                if (number >= newer.checksums().size()
                        || newer.rowsOf(number) == itsRows && newer.checksums().get(number) == itsChecksum) {
                    throw ListCommit.damaged(file, "the checksum of its " + itsRows + " rows is wrong");
                }
                if (newer.isSealed(number) != (block.sealed() != null)) {
                    if (block.sealed() != null) {
                        throw new IOException(file + " was replaced since it was opened here; open the list again");
                    }
                    // It was sealed meanwhile: no commit has a checksum of the file that was opened.
                    return;
                }
                itsRows = newer.rowsOf(number);
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

    /**
     * In a list that is read beside the process that changes it: reads texts that were not there when it was opened.
     */
    void requireText(int field, int code) {
        texts.get(field).readUntil(code);
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
                    texts.get(field)
                            .require(
                                    block,
                                    table.layout(),
                                    list.column(field).first(),
                                    table.rowsOf(i, commit.rows()),
                                    blocks.file(i),
                                    commit.hasTextChecksums());
                }
            }
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
