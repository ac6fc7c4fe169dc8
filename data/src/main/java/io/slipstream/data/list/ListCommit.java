package io.slipstream.data.list;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.host.Device;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What a list opens with.
 *
 * <pre>
 *   magic 8 | version 4 | schema: length 4, UTF-8 | generation 4 | groups 4 | columns of each group 4 ...
 *   | rows of a block 4 | rows 8 | blocks 4 | checksum of each block 4 ...
 *   | sealed blocks 4 | number of each 4 ...
 *   | fields 4 | texts 4, bytes 8, checksum 4 of each field ...
 *   | checksum of all before 4
 * </pre>
 *
 * <p>Big-endian. The checksum of a block is that of the rows that were committed, group by group; that of a field is
 * of the committed bytes of its dictionary. Version 1 has none of those. Versions from 3 on have a generation; a list
 * from which no rows were removed is written as version 2. Versions from 4 on have groups; version 4 is only for a list
 * in which columns lie together. Only version 5 has sealed blocks, and it is written if there is one. The checksum of a
 * sealed block is that of all of its bytes behind the header.
 *
 * @param schema of the elements, as text
 * @param generation which blocks are meant: how often rows were removed
 * @param groups of how many columns each group is; empty if each column lies alone
 * @param sealed the numbers of the blocks that are sealed, ascending
 * @param textChecksums of the dictionaries; empty if version 1 was read
 */
record ListCommit(
        String schema,
        int generation,
        List<Integer> groups,
        int rowsPerBlock,
        long rows,
        List<Integer> checksums,
        List<Integer> sealed,
        int[] texts,
        long[] textBytes,
        int[] textChecksums) {
    static final String FILE = "commit";
    private static final long MAGIC = 0x736c_7073_6c69_7374L; // "slpslist"
    private static final int WITHOUT_TEXT_CHECKSUMS = 1;
    private static final int WITHOUT_GENERATION = 2;
    private static final int WITHOUT_GROUPS = 3;
    private static final int WITHOUT_SEALED = 4;
    private static final int VERSION = 5;

    boolean hasTextChecksums() {
        return textChecksums.length == texts.length;
    }

    boolean isSameAs(ListCommit other) {
        return generation == other.generation
                && rows == other.rows
                && checksums.equals(other.checksums)
                && sealed.equals(other.sealed)
                && Arrays.equals(textBytes, other.textBytes);
    }

    /** Returns how many of its rows a block has. */
    int rowsOf(int block) {
        return (int) Math.min(rowsPerBlock, rows - (long) block * rowsPerBlock);
    }

    /** Compares a block with its checksum, unless it was changed since. */
    static void verify(BlockLayout layout, int columns, Path file, Block block, int rows, int checksum) {
        if (!block.isChanged() && block.checksumOf(layout, columns, rows) != checksum) {
            throw new UncheckedIOException(damaged(file, "the checksum of its " + rows + " rows is wrong"));
        }
    }

    /** Returns the earliest version that has what this commit says. */
    private int version() {
        if (!sealed.isEmpty()) {
            return VERSION;
        }
        if (!groups.isEmpty()) {
            return WITHOUT_SEALED;
        }
        return generation > 0 ? WITHOUT_GROUPS : WITHOUT_GENERATION;
    }

    /** Returns whether a block is sealed. */
    boolean isSealed(int block) {
        return Collections.binarySearch(sealed, block) >= 0;
    }

    void write(Path folder, CommitLevel level) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] text = schema.getBytes(StandardCharsets.UTF_8);
        out.writeLong(MAGIC);
        int version = version();
        out.writeInt(version);
        out.writeInt(text.length);
        out.write(text);
        if (version >= WITHOUT_GROUPS) {
            out.writeInt(generation);
        }
        if (version >= WITHOUT_SEALED) {
            out.writeInt(groups.size());
            for (int columns : groups) {
                out.writeInt(columns);
            }
        }
        out.writeInt(rowsPerBlock);
        out.writeLong(rows);
        out.writeInt(checksums.size());
        for (int checksum : checksums) {
            out.writeInt(checksum);
        }
        if (version == VERSION) {
            out.writeInt(sealed.size());
            for (int block : sealed) {
                out.writeInt(block);
            }
        }
        out.writeInt(texts.length);
        for (int i = 0; i < texts.length; i++) {
            out.writeInt(texts[i]);
            out.writeLong(textBytes[i]);
            out.writeInt(textChecksums[i]);
        }
        out.writeInt(crc(bytes.toByteArray(), bytes.size()));
        Path next = folder.resolve("commit.next");
        Files.write(next, bytes.toByteArray());
        if (level == CommitLevel.SYNC) {
            Device.forceFile(next);
        }
        Files.move(next, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (level == CommitLevel.SYNC) {
            Device.forceFolder(folder);
        }
    }

    static ListCommit read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        byte[] bytes = Files.readAllBytes(file);
        int body = bytes.length - Integer.BYTES;
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            if (body < 0 || in.readLong() != MAGIC) {
                throw damaged(file, "it is no commit of a list");
            }
            int version = in.readInt();
            if (version < WITHOUT_TEXT_CHECKSUMS || version > VERSION) {
                throw new IOException(file + " has version " + version + " of the format; this release reads versions "
                        + WITHOUT_TEXT_CHECKSUMS + " to " + VERSION);
            }
            if (crc(bytes, body) != ByteBuffer.wrap(bytes).getInt(body)) {
                throw damaged(file, "its checksum is wrong");
            }
            String stored = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
            int generation = version >= WITHOUT_GROUPS ? in.readInt() : 0;
            List<Integer> groups = new ArrayList<>();
            for (int i = version >= WITHOUT_SEALED ? in.readInt() : 0; i > 0; i--) {
                groups.add(in.readInt());
            }
            int rowsPerBlock = in.readInt();
            long rows = in.readLong();
            List<Integer> checksums = new ArrayList<>();
            for (int i = in.readInt(); i > 0; i--) {
                checksums.add(in.readInt());
            }
            List<Integer> sealed = new ArrayList<>();
            for (int i = version == VERSION ? in.readInt() : 0; i > 0; i--) {
                int block = in.readInt();
                if (block < 0 || block >= checksums.size() || !sealed.isEmpty() && block <= sealed.getLast()) {
                    throw damaged(file, "it says that block " + block + " of " + checksums.size() + " is sealed");
                }
                sealed.add(block);
            }
            int[] texts = new int[in.readInt()];
            long[] textBytes = new long[texts.length];
            int[] textChecksums = new int[version == WITHOUT_TEXT_CHECKSUMS ? 0 : texts.length];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = in.readInt();
                textBytes[i] = in.readLong();
                if (version != WITHOUT_TEXT_CHECKSUMS) {
                    textChecksums[i] = in.readInt();
                }
            }
            return new ListCommit(
                    stored, generation, groups, rowsPerBlock, rows, checksums, sealed, texts, textBytes, textChecksums);
        } catch (EOFException e) {
            throw damaged(file, "it is cut off");
        }
    }

    static IOException damaged(Path file, String how) {
        return new IOException(file + " is damaged: " + how + "; restore the folder from a copy");
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
