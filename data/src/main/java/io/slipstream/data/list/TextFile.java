package io.slipstream.data.list;

import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.Layouts;
import io.slipstream.data.host.Device;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** The file of a dictionary, which is only appended to: of each text its length in 4 bytes, and its bytes. */
final class TextFile {
    private static final int CHUNK = 1 << 16;

    private final Path file;
    private final Dictionary dictionary;
    private final CRC32C checksum = new CRC32C();
    private int written;
    private long bytes;

    TextFile(Path file, Dictionary dictionary) {
        this.file = file;
        this.dictionary = dictionary;
    }

    boolean exists() {
        return Files.exists(file);
    }

    /** Returns how many texts the file has. */
    int written() {
        return written;
    }

    long bytes() {
        return bytes;
    }

    int checksum() {
        return (int) checksum.getValue();
    }

    void force() throws IOException {
        if (written > 0) {
            Device.forceFile(file);
        }
    }

    /** Appends what the file does not have yet. What is written counts chunk by chunk, so none is left half written. */
    void write() throws IOException {
        int end = dictionary.count();
        if (end == written) {
            return;
        }
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(chunk);
        // An interrupt closes a channel, and would leave the texts half written.
        try (RandomAccessFile to = new RandomAccessFile(file.toFile(), "rw")) {
            to.setLength(bytes);
            to.seek(bytes);
            for (int code = written + 1; code <= end; code++) {
                byte[] text = String.valueOf(dictionary.text(code)).getBytes(StandardCharsets.UTF_8);
                out.writeInt(text.length);
                out.write(text);
                if (chunk.size() >= CHUNK || code == end) {
                    byte[] all = chunk.toByteArray();
                    to.write(all);
                    checksum.update(all);
                    bytes += all.length;
                    written = code;
                    chunk.reset();
                }
            }
        }
    }

    /**
     * Before a committed row gets a text.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    void writeBefore(int code) {
        if (code > written) {
            try {
                write();
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be written: " + e.getMessage(), e);
            }
        }
    }

    /** Reads the committed texts, and those behind them that a change of a committed row has written. */
    void read(ListCommit commit, int field) throws IOException {
        byte[] all = Files.readAllBytes(file);
        int committed = (int) commit.textBytes()[field];
        if (all.length < committed) {
            throw ListCommit.damaged(
                    file, "it has " + all.length + " bytes, of which " + committed + " were committed");
        }
        checksum.update(all, 0, committed);
        if (commit.hasTextChecksums() && checksum() != commit.textChecksums()[field]) {
            throw ListCommit.damaged(file, "the checksum of its " + commit.texts()[field] + " texts is wrong");
        }
        ByteBuffer in = ByteBuffer.wrap(all, 0, committed);
        while (in.hasRemaining() && read(in)) {}
        if (in.hasRemaining() || dictionary.count() != commit.texts()[field]) {
            throw ListCommit.damaged(
                    file, "it has " + dictionary.count() + " texts instead of " + commit.texts()[field]);
        }
        in.limit(all.length);
        while (read(in)) {}
        checksum.update(all, committed, in.position() - committed);
        bytes = in.position();
        written = dictionary.count();
    }

    /** Beside the process that changes the list: reads texts that were not there when it was opened. */
    void readUntil(int code) {
        if (code > dictionary.count()) {
            synchronized (this) {
                try {
                    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
                    in.position((int) bytes);
                    while (read(in)) {}
                    bytes = in.position();
                    if (code > dictionary.count()) {
                        throw ListCommit.damaged(
                                file, "it has " + dictionary.count() + " texts, but a row has text " + code);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Reads a text that is whole and new, or returns false and stays before it. */
    private boolean read(ByteBuffer in) {
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
     * Looks for texts that this file does not have in the first rows of a block. Version 1 did not write a text before
     * its row, so there the text is lost, and the row has none.
     */
    void require(Block block, BlockLayout layout, int column, int rows, Path blockFile, boolean isRequired)
            throws IOException {
        for (int i = 0; i < rows; i++) {
            long at = layout.address(column, i);
            int code = block.memory().get(Layouts.INT, at);
            if (code >= 0 && code <= written) {
                continue;
            }
            if (isRequired) {
                throw ListCommit.damaged(
                        blockFile, "row " + i + " of it has text " + code + ", but " + file + " has only " + written);
            }
            block.memory().set(Layouts.INT, at, 0);
        }
    }
}
