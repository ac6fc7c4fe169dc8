package io.slipstream.data.container;

import io.slipstream.data.wire.Bytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What a container file begins with.
 *
 * <pre>
 *   magic 8 | version 4 | length of the schema 4 | schema as text, UTF-8 | CRC-32C of all before 4
 * </pre>
 *
 * @param schema of the messages, as text
 * @param length of the header in bytes
 */
record FileHeader(String schema, int length) {
    /** Most bytes of a schema. */
    static final int MAX_SCHEMA_BYTES = 1 << 20;

    private static final byte[] MAGIC = "slpsmsgs".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int LENGTH_AT = 12;
    private static final int SCHEMA_AT = 16;

    /** Returns the bytes of a header. */
    static byte[] of(Path file, String schema) throws IOException {
        byte[] text = schema.getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_SCHEMA_BYTES) {
            throw new IOException(file + " is not made: its schema has " + text.length
                    + " bytes as text; a container file takes at most " + MAX_SCHEMA_BYTES);
        }
        byte[] header = Arrays.copyOf(MAGIC, SCHEMA_AT + text.length + Integer.BYTES);
        MemorySegment memory = MemorySegment.ofArray(header);
        Bytes.putInt(memory, VERSION_AT, VERSION);
        Bytes.putInt(memory, LENGTH_AT, text.length);
        System.arraycopy(text, 0, header, SCHEMA_AT, text.length);
        Bytes.putInt(memory, SCHEMA_AT + text.length, checksum(header));
        return header;
    }

    static boolean isAt(RandomAccessFile in) throws IOException {
        return Arrays.equals(read(in, MAGIC.length), MAGIC);
    }

    static FileHeader read(RandomAccessFile in, Path file) throws IOException {
        byte[] fixed = read(in, SCHEMA_AT);
        int some = Math.min(fixed.length, MAGIC.length);
        if (some == 0 || !Arrays.equals(fixed, 0, some, MAGIC, 0, some)) {
            throw new IOException(file + " is no container file: it "
                    + (some == 0 ? "is empty" : "does not begin with \"slpsmsgs\""));
        }
        if (fixed.length < SCHEMA_AT) {
            throw cutOff(in, file);
        }
        int version = Bytes.getInt(MemorySegment.ofArray(fixed), VERSION_AT);
        if (version != VERSION) {
            throw new IOException(file + " has version " + Integer.toUnsignedString(version)
                    + " of the format; this release reads version " + VERSION);
        }
        int length = Bytes.getInt(MemorySegment.ofArray(fixed), LENGTH_AT);
        if (length < 0 || length > MAX_SCHEMA_BYTES) {
            throw damaged(
                    file,
                    "its schema has " + Integer.toUnsignedString(length) + " bytes, more than " + MAX_SCHEMA_BYTES);
        }
        byte[] header = read(in, SCHEMA_AT + length + Integer.BYTES);
        if (header.length < SCHEMA_AT + length + Integer.BYTES) {
            throw cutOff(in, file);
        }
        if (checksum(header) != Bytes.getInt(MemorySegment.ofArray(header), SCHEMA_AT + length)) {
            throw damaged(file, "the checksum of its header is wrong");
        }
        return new FileHeader(new String(header, SCHEMA_AT, length, StandardCharsets.UTF_8), header.length);
    }

    /** Returns up to {@code most} bytes from the beginning of the file. */
    private static byte[] read(RandomAccessFile in, int most) throws IOException {
        byte[] bytes = new byte[(int) Math.min(most, in.length())];
        in.seek(0);
        in.readFully(bytes);
        return bytes;
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, header.length - Integer.BYTES);
        return (int) crc.getValue();
    }

    private static IOException cutOff(RandomAccessFile in, Path file) throws IOException {
        return damaged(file, "it ends at byte " + in.length() + ", within its header");
    }

    static IOException damaged(Path file, String how) {
        return new IOException(file + " is damaged: " + how + "; restore it from a copy");
    }
}
