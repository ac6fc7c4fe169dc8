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
 *
 * <p>A sealed block is in a file with {@code .sealed} behind its name, which is written as a whole and never changed.
 * The file of the form that a block had at the last commit is there until the next one, which does not need it any
 * more.
 */
final class BlockFiles implements BlockStore {
    private static final String IDENTITY = "identity";
    private static final Pattern IDENTITIES = Pattern.compile(IDENTITY + "(?:-(\\d+))?");
    private static final String INDEX_FILES = "{commit,commit.next,slab-*,lock}";
    private static final Pattern NAME = Pattern.compile("block-(?:(\\d+)-)?\\d+(?:\\.next|\\.sealed)?");

    private final Path folder;
    private final int generation;
    private final List<Region> regions = new ArrayList<>();

    /** Blocks with changes that may not be on the device yet. */
    private final BitSet unforced = new BitSet();

    private final BitSet sealed = new BitSet();

    /** Blocks that may have a file of the other form, too. */
    private final BitSet former = new BitSet();

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

    /** Returns the file of a block while it is sealed. */
    Path sealedFile(int number) {
        return folder.resolve(file(number).getFileName() + ".sealed");
    }

    private Path fileOf(int number, boolean isSealed) {
        return isSealed ? sealedFile(number) : file(number);
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

    @Override
    public Region other(int number, long bytes, boolean isSealed) {
        Path file = fileOf(number, isSealed);
        try {
            if (!isSealed && former.get(number)) {
                // It was sealed after the last commit, which still needs this file. It has the same values.
                return Region.open(file);
            }
            Files.deleteIfExists(file);
            return Region.create(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void put(int number, Region region, boolean isSealed, Block replaced) {
        sealed.set(number, isSealed);
        former.set(number);
        unforced.set(number);
        replaced.replaced(regions.set(number, region)::close);
    }

    /** Returns whether there are files that only the last commit needs: one more, and they are not needed any more. */
    boolean hasFormer() {
        return !former.isEmpty();
    }

    /** Deletes files that only the commit before the last needed. One that cannot be deleted is deleted later. */
    void deleteFormer() {
        for (int i = former.nextSetBit(0); i >= 0; i = former.nextSetBit(i + 1)) {
            try {
                if (sealed.get(i)) {
                    markChanged(file(i));
                }
                Files.deleteIfExists(fileOf(i, !sealed.get(i)));
                former.clear(i);
            } catch (IOException e) {
                // The next commit or opening deletes it.
            }
        }
    }

    /** A process that reads the file compares it with no commit to come, as none is about it. */
    private static void markChanged(Path file) throws IOException {
        if (Files.exists(file)) {
            try (Region region = Region.open(file)) {
                new Block(region.segment()).markChanged();
            }
        }
    }

    /** Deletes what a process has left of sealing and unsealing that was killed, after all blocks were added. */
    void deleteLeft() throws IOException {
        for (int i = sealed.nextSetBit(0); i >= 0; i = sealed.nextSetBit(i + 1)) {
            Files.deleteIfExists(file(i));
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "block-*.sealed")) {
            for (Path file : files) {
                if (!isNeeded(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private boolean isNeeded(Path sealedFile) {
        return sealed.stream().anyMatch(number -> sealedFile(number).equals(sealedFile));
    }

    /** Takes over the file of the next block, which is open. */
    void add(Region region, boolean isSealed) {
        unforced.set(regions.size());
        sealed.set(regions.size(), isSealed);
        regions.add(region);
    }

    /** Takes over the file of the next block, which the last commit has as a sealed one. */
    void addUnsealed(Region region) {
        former.set(regions.size());
        add(region, false);
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
            Device.forceFile(fileOf(i, sealed.get(i)));
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
            sealed.clear(i);
            former.clear(i);
            Files.deleteIfExists(file(i));
            Files.deleteIfExists(sealedFile(i));
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
