package io.slipstream.data.list;

import io.slipstream.data.column.Block;
import io.slipstream.data.column.Table;
import io.slipstream.data.index.LongLongIndex;
import java.io.IOException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Removes elements of a list in steps: rows that stay are copied to new blocks, which take the place of the former ones
 * at the end, in one step. For the owner of the list.
 *
 * <pre>{@code
 * try (Removal<Trade> removal = trades.removal(trade -> trade.time() < limit)) {
 *     while (removal.step(10_000)) {
 *         // read, append, commit
 *     }
 *     removal.finish();
 * }
 * }</pre>
 *
 * <p>Until {@link #finish}, the list has all elements and goes on: it reads, appends and commits, and elements that are
 * appended are looked at, too. A row that a step has passed cannot be changed in place, and the list cannot be
 * truncated. There must be room for both copies. Closed before it is finished, a removal leaves the list as it is.
 *
 * <p>After {@link #finish}, rows have other numbers. Cursors, elements of an interface and columns of before throw
 * {@link IllegalStateException} where they are used, in this thread and others; a {@link
 * io.slipstream.data.column.RowSet} and numbers of rows that the program keeps mean other rows. Texts stay in the
 * dictionaries.
 *
 * <p>In files, {@code finish} is a commit as by {@link io.slipstream.data.CommitLevel#SYNC}: a process that is killed
 * before it leaves the last commit, and one that is killed after it the list without the elements. Processes that have
 * the list open for reading keep the rows until they close it.
 *
 * @param <T> the type of the elements
 */
public final class Removal<T> implements AutoCloseable {
    private static final int ROWS_OF_A_STEP = 1 << 16;

    private final HugeList<T> list;
    private final Predicate<? super T> filter;
    private final Cursor<T> cursor;
    private final Table from;
    private final Table to;
    private final @Nullable BlockFiles files;
    private final @Nullable LongLongIndex identities;
    private long next;
    private long held;
    private long removed;
    private boolean isOver;

    Removal(
            HugeList<T> list,
            Predicate<? super T> filter,
            Table to,
            @Nullable BlockFiles files,
            @Nullable LongLongIndex identities) {
        this.list = list;
        this.filter = filter;
        this.cursor = list.cursor();
        this.from = list.table();
        this.to = to;
        this.files = files;
        this.identities = identities;
    }

    /**
     * Looks at the next {@code rows} elements, at most, and copies those that stay. A block that gets full is forced to
     * the device, if the list is in files.
     *
     * @return whether there are elements that it has not looked at
     * @throws IOException if a full block cannot be forced; another step, or {@link #finish}, tries again
     * @throws java.io.UncheckedIOException if the disk has no room for another block; likewise
     * @throws IllegalArgumentException if {@code rows} is not positive
     * @throws IllegalStateException if it is finished or closed, or an element is being filled in
     */
    public boolean step(int rows) throws IOException {
        requireOpen();
        if (rows <= 0) {
            throw new IllegalArgumentException("a step looks at " + rows + " rows; take at least 1");
        }
        list.publish();
        long end = Math.min(from.rows(), next + rows);
        try {
            while (next < end) {
                long stay = next;
                while (stay < end && !filter.test(cursor.moveTo(stay).element())) {
                    stay++;
                }
                keep(stay);
                if (next < end) {
                    next++;
                    removed++;
                }
            }
        } finally {
            hold();
        }
        force();
        return next < from.rows();
    }

    /** Copies the rows from the next one up to {@code end}. */
    private void keep(long end) {
        while (next < end) {
            // Identities first: they may be put again, if there is no room for the block.
            int some = to.roomFor(from, next, end - next);
            for (int i = 0; identities != null && i < some; i++) {
                list.identities().copy(next + i, identities, to.publishedRows() + i);
            }
            to.addRows(from, next, some);
            next += some;
            if ((to.publishedRows() & to.rowsPerBlock() - 1) == 0) {
                int full = to.blockCount() - 1;
                Block block = to.block(full);
                int rows = to.rowsPerBlock();
                block.markChecked(rows, to.layout().checksum(block.memory(), rows));
            }
        }
    }

    /** Lets nobody change a row that was copied, or is to be no more. */
    private void hold() {
        int perBlock = from.rowsPerBlock();
        while (held < next) {
            int number = (int) (held / perBlock);
            long begin = (long) number * perBlock;
            long end = Math.min(begin + perBlock, next);
            from.block(number).hold((int) (end - begin));
            held = end;
        }
    }

    private void force() throws IOException {
        if (files != null) {
            files.force(to.publishedRows() / to.rowsPerBlock());
        }
    }

    /** Returns how many elements it has looked at. */
    public long looked() {
        return next;
    }

    /** Returns how many of them are to be removed. */
    public long removed() {
        return removed;
    }

    /**
     * Looks at all elements that are left, and removes. If there is none to be removed, the list stays as it is.
     *
     * @return how many were removed
     * @throws IOException if it cannot be committed: the list has all elements, and this can be called again. Or if
     *         files of the former blocks cannot be deleted: then the elements are removed, and the next removal or
     *         opening deletes them
     * @throws java.io.UncheckedIOException if the disk has no room for another block; the list has all elements
     * @throws IllegalStateException if it is finished or closed, or an element is being filled in
     */
    public long finish() throws IOException {
        boolean isLeft = true;
        while (isLeft) {
            isLeft = step(ROWS_OF_A_STEP);
        }
        if (removed == 0) {
            close();
            return 0;
        }
        try {
            list.become(to, files, identities);
        } finally {
            isOver = list.table() == to;
        }
        return removed;
    }

    /** Gives up, unless it is finished: the list stays as it is. */
    @Override
    public void close() {
        if (isOver) {
            return;
        }
        isOver = true;
        for (int i = 0; i < from.blocksOf(held); i++) {
            from.unverifiedBlock(i).hold(0);
        }
        to.close();
        if (identities != null) {
            identities.close();
        }
        list.forgetRemoval(files);
    }

    private void requireOpen() {
        if (isOver) {
            throw new IllegalStateException("this removal is over; begin another one by removal()");
        }
    }
}
