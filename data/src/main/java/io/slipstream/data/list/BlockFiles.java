package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockStore;
import io.slipstream.data.column.Table;
import io.slipstream.data.host.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the blocks of a list: {@code block-0}, {@code block-1}, ...; after rows were removed {@code block-1-0},
 * {@code block-1-1}, ..., where the first number is the <b>generation</b>, which each removal raises. The index of the
 * identity has one, too.
 */
final class BlockFiles implements BlockStore {
    private static final String IDENTITY = "identity";
    private static final Pattern IDENTITIES = Pattern.compile(IDENTITY + "(?:-(\\d+))?");
    private static final String INDEX_FILES = "{commit,commit.next,slab-*,lock}";
    private static final Pattern NAME = Pattern.compile("block-(?:(\\d+)-)?\\d+(?:\\.next)?");

    private final Path folder;
    private final int generation;
    private final List<Region> regions = new ArrayList<>();

    /** Blocks with changes that may not be on the device yet. */
    private final BitSet unforced = new BitSet();

    BlockFiles(Path folder, int generation) {
        this.folder = folder;
        this.generation = generation;
    }

    int generation() {
        return generation;
    }

    /** Returns the generation of a file of this name, or -1 if it is of no block. */
    static int generationOf(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return -1;
        }
        return matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1));
    }

    Path file(int number) {
        return folder.resolve(generation == 0 ? "block-" + number : "block-" + generation + "-" + number);
    }

    private Path copyFile(int number) {
        return folder.resolve(file(number).getFileName() + ".next");
    }

    @Override
    public Block allocate(int number, long bytes) {
        try {
            // What was added before a crash and not committed.
            Files.deleteIfExists(file(number));
            Region region = Region.create(file(number), bytes);
            regions.add(region);
            unforced.set(number);
            return new Block(region.segment());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Takes over the file of the next block, which is open. */
    void add(Region region) {
        unforced.set(regions.size());
        regions.add(region);
    }

    void markUnforced(int number) {
        unforced.set(number);
    }

    /** Forces all that may not be on the device. */
    void force() throws IOException {
        force(Long.MAX_VALUE);
    }

    /** Forces what may not be on the device of the blocks before {@code end}. */
    void force(long end) throws IOException {
        for (int i = unforced.nextSetBit(0); i >= 0 && i < end; i = unforced.nextSetBit(i + 1)) {
            Device.forceFile(file(i));
            unforced.clear(i);
        }
    }

    @Override
    public void release(int from) {
        BlockStore.release(regions, from);
    }

    @Override
    public void close() {
        release(0);
    }

    /** Deletes the files of blocks that are given back. */
    void delete(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            unforced.clear(i);
            Files.deleteIfExists(file(i));
        }
    }

    /** Writes a block to another file, which has the length and is forced. */
    Region copied(Block block, int number) throws IOException {
        Path file = copyFile(number);
        Files.deleteIfExists(file);
        Region region = Region.create(file, block.memory().byteSize());
        try {
            region.segment().copyFrom(block.memory());
            // The commit that follows covers what was changed.
            new Block(region.segment()).markChecked(0, 0);
            Device.forceFile(file);
            return region;
        } catch (Throwable e) {
            region.close();
            throw e;
        }
    }

    /** Puts the copy of a block in its place on the disk. */
    void moveCopy(int number) throws IOException {
        Files.move(copyFile(number), file(number), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Device.forceFolder(folder);
    }

    /** Puts the copy of a block in its place in memory. */
    void replace(Table table, int number, Region copy) {
        Block former = table.block(number);
        Block block = new Block(copy.segment());
        block.markChecked(former.checkedRows(), former.checksum());
        table.replace(number, block);
        regions.set(number, copy).close();
    }

    /** Returns where the identities of a generation are. */
    static Path identity(Path folder, int generation) {
        return folder.resolve(generation == 0 ? IDENTITY : IDENTITY + "-" + generation);
    }

    /** Deletes the files of generations. */
    static void delete(Path folder, IntPredicate which) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "{block-*,identity*}")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher matcher = IDENTITIES.matcher(name);
                if (matcher.matches()) {
                    String number = matcher.group(1);
                    if (which.test(number == null ? 0 : Integer.parseInt(number))) {
                        deleteIdentity(file);
                    }
                } else {
                    int generation = generationOf(name);
                    if (generation >= 0 && which.test(generation)) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    /** Deletes an index of the identity, if there is one. */
    static void deleteIdentity(Path index) throws IOException {
        if (Files.isDirectory(index)) {
            delete(index, INDEX_FILES);
            Files.delete(index);
        }
    }

    /** Deletes the files whose names match a glob. */
    static void delete(Path from, String names) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, names)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
