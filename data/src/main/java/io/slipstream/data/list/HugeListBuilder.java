package io.slipstream.data.list;

import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.Table;
import io.slipstream.data.column.Width;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes or opens a {@link HugeList}.
 *
 * @param <T> the type of the elements
 */
public final class HugeListBuilder<T> {
    private static final int ROWS_PER_BLOCK = 1 << 16;
    private static final int MOST_TRIES = 100;

    private final Schema<T> schema;
    private MethodHandles.Lookup lookup = MethodHandles.lookup();
    private @Nullable Integer rowsPerBlock;
    private boolean byRows;
    private @Nullable Property identity;

    HugeListBuilder(Schema<T> schema) {
        if (schema.kind() != Schema.Kind.RECORD && schema.kind() != Schema.Kind.INTERFACE) {
            throw new IllegalArgumentException(schema.type().getName()
                    + ": a huge list is of a record, or of an interface of getters and setters");
        }
        this.schema = schema;
    }

    /**
     * Takes {@code rows} to a block, a power of two from 64 on; 65,536 otherwise. A list takes memory by the block. One
     * that is opened has what it was created with, and is refused if that is not the same.
     */
    public HugeListBuilder<T> rowsPerBlock(int rows) {
        rowsPerBlock = rows;
        return this;
    }

    /**
     * Keeps the fields of an element side by side, as a bean does, rather than each field in a column. Reading or
     * writing an element at random then takes one or two lines of the cache instead of one for each field; looking
     * through one field of all elements takes longer, as the others are passed on the way. Everything else is as
     * without it. A list that is opened is as it was created; one that lies by columns is refused with this.
     */
    public HugeListBuilder<T> byRows() {
        byRows = true;
        return this;
    }

    /**
     * Finds elements by this field: a whole number or a text, never absent, different for each element and not
     * changed once set.
     */
    public HugeListBuilder<T> identity(String field) {
        Property property = schema.property(field);
        Class<?> type = property.javaType();
        boolean isWhole = type == long.class
                || type == int.class
                || type == short.class
                || type == byte.class
                || type == char.class;
        if (!isWhole && !(property.field().type() instanceof Type.Text)
                || property.field().isOptional()) {
            throw new IllegalArgumentException(
                    schema.name() + "." + field + ": an identity is a whole number or a text that is never absent");
        }
        identity = property;
        return this;
    }

    /**
     * Makes the cursors with this lookup; needed for a type that is not public, of a module that does not open its
     * package to {@code io.slipstream.data}.
     */
    public HugeListBuilder<T> lookup(MethodHandles.Lookup with) {
        lookup = with;
        return this;
    }

    /** Returns an empty list in native memory. */
    public HugeList<T> inMemory() {
        Columns columns = new Columns(schema);
        BlockLayout layout = layout(columns);
        LongLongIndex rows = identity == null ? null : LongLongIndex.inMemory(-1);
        return make(columns, layout, BlockStore.ofMemory(), rows, null);
    }

    /**
     * Creates an empty list in {@code folder}, which must not hold one, and commits it. What a process has left there
     * that was killed while it created a list is replaced.
     *
     * @throws IOException if it holds one, or cannot be written
     */
    public HugeList<T> create(Path folder) throws IOException {
        ListFolder files = ListFolder.create(folder);
        HugeList<T> list = null;
        try {
            Columns columns = new Columns(schema);
            BlockLayout layout = layout(columns);
            LongLongIndex rows = identity == null ? null : LongLongIndex.create(files.identity(0), -1);
            list = make(columns, layout, files.blocks(), rows, files);
            list.commit();
            return list;
        } catch (Throwable e) {
            close(list, files);
            throw e;
        }
    }

    /**
     * Opens the list in {@code folder} with what it held at its last commit, and takes it for this process alone. It
     * maps the files and reads the last block; each other block is compared with its checksum when it is first used,
     * or by {@link HugeList#verify}.
     *
     * <p>A list of an earlier version of the schema gets the columns of the fields that were added since, with their
     * {@code @Default} in each row, and is committed: all blocks are checked and grow in place. Killed meanwhile, it is
     * as before and opens again with the later schema, but no longer with the earlier one.
     *
     * @throws IOException if there is none, another process has it, a file is missing or has another length, the last
     *         block, the texts or the identities are damaged, the disk is full, or its elements are of another schema,
     *         which does more than adding fields to them and constants to enums: the message says what and where
     */
    public HugeList<T> open(Path folder) throws IOException {
        ListFolder files = ListFolder.open(folder);
        HugeList<T> list = null;
        try {
            ListCommit commit = ListCommit.read(folder);
            Columns columns = new Columns(schema);
            EarlierSchema kept = kept(folder, commit, columns);
            BlockLayout layout = layout(folder, commit, columns, kept);
            files.use(commit);
            LongLongIndex rows = identity == null ? null : LongLongIndex.open(files.identity(commit.generation()));
            list = make(columns, layout, files.blocks(), rows, files);
            files.load(list, commit, kept);
            return list;
        } catch (Throwable e) {
            close(list, files);
            throw e;
        }
    }

    /**
     * Opens the list in {@code folder} for reading, with what it held at its last commit. Any number of processes may
     * do that, beside the one that changes the list: they see none of its later commits until they open it again, and
     * of a committed row that it changes in place either value. Methods that change the list, and setters of its
     * elements, throw {@link IllegalStateException}.
     *
     * <p>With an identity, it reads that of each row and keeps an index of them in native memory.
     *
     * @throws IOException as {@link #open} does, and if the list is of an earlier version of the schema
     */
    public HugeList<T> openReadOnly(Path folder) throws IOException {
        for (int tries = 1; ; tries++) {
            ListFolder files = ListFolder.openReadOnly(folder);
            ListCommit commit = ListCommit.read(folder);
            try {
                return openReadOnly(folder, files, commit);
            } catch (IOException e) {
                // The process that changes the list may have taken rows away meanwhile, and deleted files.
                if (tries == MOST_TRIES || commit.isSameAs(ListCommit.read(folder))) {
                    throw e;
                }
            }
        }
    }

    private HugeList<T> openReadOnly(Path folder, ListFolder files, ListCommit commit) throws IOException {
        HugeList<T> list = null;
        try {
            Columns columns = new Columns(schema);
            EarlierSchema kept = kept(folder, commit, columns);
            BlockLayout layout = layout(folder, commit, columns, kept);
            files.use(commit);
            list = make(columns, layout, files.blocks(), identity == null ? null : LongLongIndex.inMemory(-1), files);
            if (kept.columns() < layout.columns()) {
                throw new IOException(
                        folder + " is of an earlier version of " + schema.name() + "; open() adds the new fields");
            }
            files.load(list, commit, kept);
            if (identity != null) {
                list.identities().readAll();
            }
            return list;
        } catch (UncheckedIOException e) {
            close(list, files);
            throw e.getCause();
        } catch (Throwable e) {
            close(list, files);
            throw e;
        }
    }

    private EarlierSchema kept(Path folder, ListCommit commit, Columns columns) throws IOException {
        return EarlierSchema.of(folder.resolve(ListCommit.FILE), commit.schema(), schema, columns);
    }

    /** Returns the layout of a list that is made. */
    private BlockLayout layout(Columns columns) {
        List<Width> widths = columns.widths();
        int rows = rowsPerBlock == null ? ROWS_PER_BLOCK : rowsPerBlock;
        return byRows ? new BlockLayout(widths, List.of(widths.size()), rows) : BlockLayout.ofColumns(widths, rows);
    }

    /** Returns the layout of a list that is opened. Columns that it does not have yet lie behind the others. */
    private BlockLayout layout(Path folder, ListCommit commit, Columns columns, EarlierSchema kept) throws IOException {
        int rows = commit.rowsPerBlock();
        if (rowsPerBlock != null && rowsPerBlock != rows) {
            throw new IOException(folder + " has " + rows + " rows to a block, not " + rowsPerBlock
                    + "; open it without rowsPerBlock(), or copy its elements to a new list");
        }
        List<Width> widths = columns.widths();
        if (commit.groups().isEmpty()) {
            if (byRows && kept.columns() > 1) {
                throw new IOException(
                        folder + " keeps its elements by columns; leave byRows() (--by-rows) out, or copy them"
                                + " to a new list");
            }
            return BlockLayout.ofColumns(widths, rows);
        }
        List<Integer> groups = new ArrayList<>(commit.groups());
        if (kept.columns() < widths.size()) {
            groups.add(widths.size() - kept.columns());
        }
        return new BlockLayout(widths, groups, rows);
    }

    private static void close(@Nullable HugeList<?> list, ListFolder files) {
        if (list != null) {
            list.close();
        }
        files.close();
    }

    private HugeList<T> make(
            Columns columns,
            BlockLayout layout,
            BlockStore store,
            @Nullable LongLongIndex rows,
            @Nullable ListFolder folder) {
        Table table = new Table(layout, store);
        Dictionary[] dictionaries =
                columns.all().stream().map(_ -> new Dictionary()).toArray(Dictionary[]::new);
        int number = identity == null ? HugeList.NO_IDENTITY : columns.numberOf(identity);
        MethodHandle cursors = CursorGenerator.generate(schema, columns, layout, number, lookup);
        if (folder != null) {
            folder.keepTexts(columns.all(), dictionaries);
        }
        return new HugeList<>(schema, columns.all(), table, dictionaries, cursors, number, rows, folder);
    }
}
