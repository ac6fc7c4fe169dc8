package io.slipstream.data.list;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.DoubleColumn;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.column.Table;
import io.slipstream.data.host.Defaults;
import io.slipstream.data.index.LongLongIndex;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A list of records, or of an interface of getters and setters, in columns outside the heap: no objects, no work for
 * the collector, {@code long} sizes. It grows by blocks and copies nothing. {@link HugeListBuilder#byRows} keeps the
 * fields of an element together instead.
 *
 * <pre>{@code
 * HugeList<Trade> trades = HugeList.of(Trade.class);       // interface Trade { long id(); void id(long id); ... }
 * trades.append().id(7).price(101_250);                    // setters may return the element
 * trades.longs("price").sum();
 * }</pre>
 *
 * <p>One thread, the owner, changes the list. Others may read, each with a cursor of its own, the rows below
 * {@link #size}: each of them whole, as an element is filled first and its row published then. {@link #add} and
 * {@link #append(Consumer)} publish before they return. The row of {@link #append()} is published when its thread next
 * adds or reads rows, asks for {@link #size}, or calls {@link #commit} or {@link #publish}; call that before you hand
 * the list to another thread. An element that is refused, or whose filling throws, was never there. A
 * field of one row may be read while the owner overwrites it: then it has either value.
 *
 * <p>Times are kept in nanoseconds in a {@code long} (years 1677 to 2262); texts by a dictionary on the heap, one for
 * each field. The fields of a nested record have columns of their own, as {@code leg.price}. Other limits are those of
 * {@link Schema}; arrays, lists, and nested types other than records have no columns and are refused.
 *
 * <p>A list in files opens again with what it held at the last {@link #commit}, also after the process was killed.
 * Rows that were committed and changed since have either value.
 *
 * @param <T> the type of the elements
 */
public final class HugeList<T> implements Iterable<T>, AutoCloseable {
    static final int NO_IDENTITY = -1;

    private final Schema<T> schema;
    private final List<Column> columns;
    private final Dictionary[] dictionaries;
    private final Values[] values;
    private final MethodHandle cursors;
    private final int identity;
    private final @Nullable ListFolder folder;

    /** Another one after rows were removed: whoever reads the former one still is refused there. */
    private volatile Table table;

    private volatile @Nullable Identities identities;

    private Appender<T> appender;
    private @Nullable Removal<T> removal;

    HugeList(
            Schema<T> schema,
            List<Column> columns,
            Table table,
            Dictionary[] dictionaries,
            MethodHandle cursors,
            int identity,
            @Nullable LongLongIndex rows,
            @Nullable ListFolder folder) {
        this.schema = schema;
        this.columns = columns;
        this.table = table;
        this.dictionaries = dictionaries;
        this.values = columns.stream()
                .map(column -> new Values(schema.name(), column))
                .toArray(Values[]::new);
        this.cursors = cursors;
        this.identity = identity;
        this.folder = folder;
        this.appender = newAppender();
        this.identities = newIdentities(rows);
    }

    /** Creates an empty list in native memory. */
    public static <T> HugeList<T> of(Class<T> type) {
        return builder(type).inMemory();
    }

    /** Returns what makes or opens a list. */
    public static <T> HugeListBuilder<T> builder(Class<T> type) {
        return new HugeListBuilder<>(Schema.of(type));
    }

    /** Returns the number of elements. To other threads than that of the owner, those that are published. */
    public long size() {
        return table.rows();
    }

    /** Returns the schema of the elements. */
    public Schema<T> schema() {
        return schema;
    }

    /** Returns the bytes that the columns take outside the heap. */
    public long memoryBytes() {
        Identities of = identities;
        return table.memoryBytes() + (of == null ? 0 : of.memoryBytes());
    }

    /**
     * Adds an element of an interface and returns it to be filled in: all fields are zero, empty or absent. The
     * object is the same each time; it stays on its row until the next call.
     *
     * <p>Other threads do not see the row before it is published: when this thread next adds or reads rows, asks for
     * {@link #size}, or calls {@link #commit} or {@link #publish}. If a setter throws before, the element is gone as if
     * it had never been appended, and the object throws until the next call.
     *
     * @throws UnsupportedOperationException if the elements are records; use {@link #add}
     * @throws UncheckedIOException if the list is in files and the disk is full; the list is as before
     */
    public T append() {
        requireFillable();
        return appender.append();
    }

    /**
     * Adds an element of an interface that {@code fill} fills in, publishes it and returns its row. All fields are
     * zero, empty or absent before. If {@code fill} throws, the element was never there.
     *
     * @throws UnsupportedOperationException if the elements are records; use {@link #add}
     * @throws IllegalStateException if {@code fill} appends, adds or commits itself
     */
    public long append(Consumer<? super T> fill) {
        requireFillable();
        return appender.append(fill);
    }

    /** Lets other threads see the element of the last {@link #append()}, too. */
    public void publish() {
        appender.publish();
    }

    private void requireFillable() {
        if (schema.kind() != Schema.Kind.INTERFACE) {
            throw new UnsupportedOperationException(
                    schema.name() + " is a record, which cannot be filled in; use add()");
        }
        requireWritable();
    }

    void requireWritable() {
        if (folder != null && folder.isReadOnly()) {
            throw new IllegalStateException(
                    schema.name() + ": this list was opened for reading only; open() lets this process change it");
        }
    }

    /** After a setter threw. */
    void refused(Cursor<?> cursor) {
        requireWritable();
        appender.refused(cursor);
    }

    /**
     * Adds an element and returns its row. Of an interface, all fields are read by its getters.
     *
     * @throws IllegalArgumentException if its identity is there already, or a value does not fit its column; the list
     *         is as before
     * @throws UncheckedIOException if the list is in files and the disk is full; the list is as before
     */
    public long add(T element) {
        requireWritable();
        return appender.add(element);
    }

    /** Adds an element of any kind whose columns {@code fill} writes, or throws and leaves the list as before. */
    void addRow(Consumer<Cursor<?>> fill) {
        requireWritable();
        appender.addRow(fill);
    }

    /** Returns the element of a row: a record, or a view of the row with a cursor of its own. */
    public T get(long row) {
        return newCursor().moveTo(row).element();
    }

    /**
     * Overwrites the element of a row. If its block is sealed, it is unsealed before; a setter does so, too.
     *
     * @throws IllegalArgumentException if the identity would change, or a value does not fit its column; the row is as
     *         before
     * @throws UncheckedIOException if the block is sealed, in a file, and the disk has no room to unseal it; likewise
     */
    public void set(long row, T element) {
        requireWritable();
        newCursor().moveTo(row).overwrite(element);
    }

    /** Returns a cursor before the first row. */
    public Cursor<T> cursor() {
        return newCursor();
    }

    /** Goes over the elements. Of an interface, it is the same object all the time, which moves along. */
    @Override
    public Iterator<T> iterator() {
        return Elements.iterator(newCursor());
    }

    /** Returns a sequential stream of the elements, each of them an object of its own. */
    public Stream<T> stream() {
        return Elements.stream(this);
    }

    /**
     * Returns a view as a {@link List}, which elements can be added to and, of records, overwritten.
     *
     * @throws ArithmeticException from its methods once there are more than {@link Integer#MAX_VALUE} elements
     */
    public List<T> asList() {
        return Elements.list(this);
    }

    /**
     * Returns a field as whole numbers: those of any width, booleans not; the mantissas of decimals, times as
     * nanoseconds since 1970, dates as days since 1970, numbers of enum constants, codes of texts.
     *
     * @throws IllegalArgumentException if there is no such field, or it is none of these
     */
    public LongColumn longs(String field) {
        return column(field).longs(schema.name(), table);
    }

    /** Returns a field of {@code float} or {@code double}. */
    public DoubleColumn doubles(String field) {
        return column(field).doubles(schema.name(), table);
    }

    /** Returns a field of {@code boolean}. */
    public BitColumn booleans(String field) {
        return column(field).booleans(schema.name(), table);
    }

    /**
     * Returns the code of a text of a field, for {@link #longs}; 0 if no element ever had it, or was to have it. The
     * empty text of a field that is not optional has code 0, which is also that of a row whose field was never set; in
     * a list that an earlier release began, and in an identity, it can have one more, which this method returns.
     */
    public int codeOf(String field, String text) {
        return dictionary(column(field)).code(text);
    }

    /** Returns the text of a code of a field; for 0 null if the field is optional, else the empty text. */
    public @Nullable String textOf(String field, int code) {
        Column column = column(field);
        String text = text(numberOfText(column), code);
        return text == null && !column.isTextOrNone() ? "" : text;
    }

    /** Returns the rows whose field is {@code text}; the empty one also if it was never set and is not optional. */
    public RowSet whereText(String field, String text) {
        int code = codeOf(field, text);
        boolean isEmptyText = text.isEmpty() && !column(field).isTextOrNone();
        return code == 0 && !isEmptyText
                ? new RowSet(size())
                : longs(field).where(value -> value == code || value == 0 && isEmptyText);
    }

    /**
     * Returns the row of the element with this identity, or -1.
     *
     * @throws IllegalStateException if the list was built without an identity
     */
    public long rowOf(long key) {
        return identities().rowOf(key);
    }

    /**
     * Sets each element of {@code rows} to the row of the element with the identity at the same place of {@code keys},
     * or to -1. This is what a join asks: it takes less time for many keys than {@link #rowOf(long)} for each.
     *
     * @throws IllegalArgumentException if {@code rows} is {@code keys} itself, or not as long
     * @throws IllegalStateException if the list was built without an identity
     */
    public void rowsOf(long[] keys, long[] rows) {
        identities().rowsOf(keys, rows);
    }

    /**
     * Returns the row of the element with this text as its identity, or -1.
     *
     * @throws IllegalArgumentException if the identity is a number
     * @throws IllegalStateException if the list was built without an identity
     */
    public long rowOf(String key) {
        return identities().rowOf(key);
    }

    /**
     * Makes what the list holds now what it opens with.
     *
     * @throws IOException if it cannot be written; the former commit stands
     * @throws IllegalStateException if the list is in native memory
     */
    public void commit() throws IOException {
        commit(CommitLevel.PROCESS);
    }

    /**
     * Makes what the list holds now what it opens with, and with {@link CommitLevel#SYNC} also after a loss of power:
     * blocks, texts and identities are forced to the device before the commit, and the commit before the call returns.
     * What is done in place to committed rows after that, and later commits without it, are not forced: then a loss of
     * power can leave a list that is refused. A commit after a block was sealed or unsealed is one with it in any case,
     * as it deletes files that the former commit needs.
     *
     * @throws IOException if it cannot be written; the former commit stands
     * @throws IllegalStateException if the list is in native memory, or was opened for reading only
     */
    public void commit(CommitLevel level) throws IOException {
        if (folder == null) {
            throw new IllegalStateException("this list is in native memory; create it in a folder to commit it");
        }
        requireWritable();
        publish();
        CommitLevel needed = folder.blocks().hasFormer() ? CommitLevel.SYNC : level;
        Identities of = identities;
        if (of != null) {
            of.commit(needed);
        }
        folder.commit(this, table.rows(), needed);
    }

    /**
     * Takes the rows from {@code size} on away. What they took outside the heap is given back by whole blocks; their
     * texts stay in the dictionaries.
     *
     * <p>A list in files is committed with what is left, as by {@link CommitLevel#SYNC}: killed before that, it opens
     * with its former commit, after that without the rows. The files of the rows are deleted then. Processes that have
     * opened it for reading keep the rows; one that finds it truncated while it opens or checks it throws an
     * {@link IOException} that says so.
     *
     * <p>A cursor stands nowhere until it moves again. What another thread is doing with rows that are taken away, or
     * with the last block that is left, may throw {@link IllegalStateException}; begun anew, it sees the rows that are
     * left. If rows are added meanwhile, it may see either in places that had both.
     *
     * @throws IndexOutOfBoundsException if the list has fewer rows
     * @throws IOException if it cannot be committed; the former commit stands, and the rows are there
     * @throws IllegalStateException if the list was opened for reading only, or a removal is under way
     */
    public void truncate(long size) throws IOException {
        requireNoRemoval();
        publish();
        long former = table.rows();
        if (size < 0 || size > former) {
            throw new IndexOutOfBoundsException("size " + size + " of a list of " + former + " rows");
        }
        if (size == former) {
            return;
        }
        Table of = table;
        int blocks = of.blockCount();
        if ((size & of.rowsPerBlock() - 1) != 0) {
            of.unsealed(of.blocksOf(size) - 1);
        }
        Identities known = identities;
        if (folder != null) {
            if (known != null) {
                known.commit(CommitLevel.SYNC);
            }
            folder.commitFirst(this, size);
        }
        if (known != null) {
            known.forget(size, former);
        }
        appender.truncate(size);
        if (folder != null) {
            folder.deleteBlocks(of.blockCount(), blocks);
        }
    }

    /**
     * Seals the blocks that are full and that no removal is holding: each column then takes only the bytes that its
     * values in this block need, and reading goes on as before. A block that would not get smaller stays as it is. One
     * in which a row changes, or that is truncated, is as before sealing from then on, until the next call. Take it
     * for rows that do not change any more, and call it now and then, as each call looks at each block that is not
     * sealed. In a list {@link HugeListBuilder#byRows by rows}, the columns of a sealed block lie side by side.
     *
     * <p>For the owner. Other threads go on reading meanwhile, with cursors and columns of before, too: they read the
     * former memory of a block or its new one, which have the same values. The former one is given back at once, or
     * when a call of a column, or an export, that is reading it ends. Until then, a cursor that stands on a row of the
     * block and does not move may read what it had before the owner changed it.
     *
     * <p>A list in files is committed, as by {@link CommitLevel#SYNC}, if a block was sealed; killed before that, it
     * opens with its former commit. Files of the former form are deleted then. Processes that have opened the list for
     * reading keep them.
     *
     * @return how many blocks were sealed
     * @throws IOException if it cannot be written or committed; the former commit stands, and the list has all elements
     * @throws IllegalStateException if the list was opened for reading only, or an element is being filled in
     */
    public int seal() throws IOException {
        requireWritable();
        publish();
        if (folder != null && folder.blocks().hasFormer()) {
            // The commit on the disk may need a file that is to be written anew.
            commit();
        }
        int sealed = 0;
        try {
            long full = table.rows() / table.rowsPerBlock();
            for (int i = 0; i < full; i++) {
                sealed += table.seal(i) ? 1 : 0;
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (folder != null && sealed > 0) {
            commit();
        }
        return sealed;
    }

    /**
     * Removes the elements for which {@code filter} says so, and returns how many. The others are copied, all at once;
     * {@link #removal} does it in steps, and says what it takes and promises.
     *
     * @throws IOException if it cannot be committed; the list is as before
     * @throws UncheckedIOException if the disk has no room for the copy; the list is as before
     */
    public long removeIf(Predicate<? super T> filter) throws IOException {
        try (Removal<T> all = removal(filter)) {
            return all.finish();
        }
    }

    /**
     * Begins to remove the elements for which {@code filter} says so, in steps between which this list goes on. There
     * can be one removal at a time.
     *
     * @param filter is called by the steps, for each element once or, after an exception, again; it must not change
     *        the list. Of an interface, it gets the same object all the time
     * @throws IOException if files of a former removal cannot be deleted
     * @throws IllegalStateException if there is a removal already, or the list was opened for reading only
     */
    public Removal<T> removal(Predicate<? super T> filter) throws IOException {
        requireNoRemoval();
        BlockFiles files = folder == null ? null : folder.nextBlocks();
        LongLongIndex next = null;
        if (identities != null) {
            next = folder == null || files == null
                    ? LongLongIndex.inMemory(Identities.NO_ROW)
                    : LongLongIndex.create(folder.identity(files.generation()), Identities.NO_ROW);
        }
        Table to = table.emptyCopy(files == null ? BlockStore.ofMemory() : files);
        Removal<T> begun = new Removal<>(this, filter, to, files, next);
        removal = begun;
        return begun;
    }

    private void requireNoRemoval() {
        requireWritable();
        if (removal != null) {
            throw new IllegalStateException(
                    schema.name() + ": a removal is under way; finish or close it before rows are taken away");
        }
    }

    /** Goes on with the rows that a removal has kept: from the commit on in files, and then in memory. */
    void become(Table kept, @Nullable BlockFiles files, @Nullable LongLongIndex keptRows) throws IOException {
        if (folder != null && files != null) {
            folder.commitNext(this, kept, files, keptRows);
        }
        Table former = table;
        Identities formerIdentities = identities;
        removal = null;
        // In this order, nobody gets a column of each of the two that work.
        former.retire();
        table = kept;
        appender = newAppender();
        identities = newIdentities(keptRows);
        if (formerIdentities != null) {
            formerIdentities.close();
        }
        if (folder != null) {
            folder.deleteOthers();
        }
    }

    /** After a removal was given up. */
    void forgetRemoval(@Nullable BlockFiles files) {
        removal = null;
        if (folder != null && files != null) {
            try {
                folder.discard(files);
            } catch (IOException e) {
                // The next removal, or the next opening, deletes what is left.
            }
        }
    }

    /**
     * Reads all blocks that nobody has used since the list was opened, and compares them with their checksums. Without
     * this call, a block is compared at its first use, which throws {@link java.io.UncheckedIOException} if it is
     * damaged.
     *
     * @throws IOException if a block is damaged: the message says in which file
     */
    public void verify() throws IOException {
        try {
            for (int i = 0; i < table.blockCount(); i++) {
                table.block(i);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Gives the memory back. What was not committed is lost. No thread may use the list, or a view of it, any more. */
    @Override
    public void close() {
        if (removal != null) {
            removal.close();
        }
        Identities of = identities;
        if (of != null) {
            of.close();
        }
        table.close();
        if (folder != null) {
            folder.close();
        }
    }

    Appender<T> appender() {
        return appender;
    }

    boolean isIdentity(int field) {
        return field == identity;
    }

    Table table() {
        return table;
    }

    List<Column> columns() {
        return columns;
    }

    Column column(int field) {
        return columns.get(field);
    }

    Values values(int field) {
        return values[field];
    }

    Object[] constants(int field) {
        return values[field].constants();
    }

    Dictionary[] dictionaries() {
        return dictionaries;
    }

    @Nullable
    String text(int field, int code) {
        if (folder != null && folder.isReadOnly()) {
            folder.requireText(field, code);
        }
        return dictionaries[field].text(code);
    }

    /** Gives all rows the default of a field that they do not have yet; one of a nested record is not there. */
    void fillDefault(int field) {
        Column column = columns.get(field);
        Object value = column.around() == Column.NONE ? Defaults.of(schema.name(), column.property()) : null;
        if (value != null) {
            appender.fill(field, value);
        }
    }

    /** Returns the code of a text that a row is about to have. */
    int code(int field, @Nullable String text, long row) {
        requireWritable();
        if (text != null) {
            if (text.isEmpty() && field != identity && !columns.get(field).isTextOrNone()) {
                return 0;
            }
            int code = dictionaries[field].addEncodable(text, schema.name(), columns.get(field));
            if (folder != null) {
                folder.beforeText(field, code, row);
            }
            return code;
        }
        if (columns.get(field).property().field().isOptional()) {
            return 0;
        }
        throw new NullPointerException(values[field].refusal(null));
    }

    String describe(Cursor<T> cursor) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            Object value = cursor.readValue(i);
            parts.add(column.name() + "=" + value);
        }
        return schema.name() + "[" + String.join(", ", parts) + "]";
    }

    private Appender<T> newAppender() {
        return new Appender<>(newCursor(), schema.name());
    }

    private @Nullable Identities newIdentities(@Nullable LongLongIndex rows) {
        return rows == null
                ? null
                : new Identities(schema.name(), columns.get(identity), dictionaries[identity], newCursor(), rows);
    }

    @SuppressWarnings("unchecked")
    private Cursor<T> newCursor() {
        try {
            return (Cursor<T>) cursors.invokeExact(this);
        } catch (Throwable e) {
            throw new IllegalStateException("cannot make a cursor of " + schema.name(), e);
        }
    }

    /** Returns the rows by their identities, which the list must have. */
    Identities identities() {
        Identities of = identities;
        if (of == null) {
            throw new IllegalStateException(
                    "this list has no identity; build it with HugeList.builder(...).identity(field)");
        }
        return of;
    }

    private Column column(String field) {
        for (Column column : columns) {
            if (column.name().equals(field)) {
                return column;
            }
        }
        throw new IllegalArgumentException(schema.name() + " has no field " + field + ", but "
                + columns.stream().map(Column::name).toList());
    }

    private Dictionary dictionary(Column column) {
        return dictionaries[numberOfText(column)];
    }

    private int numberOfText(Column column) {
        if (!(column.type() instanceof Type.Text)) {
            throw new IllegalArgumentException(schema.name() + "." + column.name() + " is no text");
        }
        return columns.indexOf(column);
    }
}
