package io.slipstream.cli.keyvalue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Bytes, numbers and strings of an RDB image, with the checksum of what was read (CRC-64 as Redis has it). */
final class RdbInput {
    private static final int MOST_BYTES = 1 << 29;
    private static final long POLYNOMIAL = 0x95AC_9329_AC4B_C9B5L;
    private static final long[] TABLE = new long[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            long value = i;
            for (int bit = 0; bit < 8; bit++) {
                value = (value & 1) != 0 ? value >>> 1 ^ POLYNOMIAL : value >>> 1;
            }
            TABLE[i] = value;
        }
    }

    private final InputStream in;
    private long offset;
    private long checksum;
    private boolean special;

    RdbInput(InputStream in) {
        this.in = in;
    }

    long offset() {
        return offset;
    }

    /** Returns the checksum of all that was read. */
    long checksum() {
        return checksum;
    }

    int octet() throws IOException {
        int octet = in.read();
        if (octet < 0) {
            throw new EOFException();
        }
        count(octet);
        return octet;
    }

    private void count(int octet) {
        checksum = TABLE[(int) (checksum ^ octet) & 0xFF] ^ checksum >>> 8;
        offset++;
    }

    byte[] octets(long length) throws IOException {
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("a string of " + length + " bytes is too long, at offset " + offset);
        }
        byte[] octets = in.readNBytes((int) length);
        for (byte each : octets) {
            count(each & 0xFF);
        }
        if (octets.length < length) {
            throw new EOFException();
        }
        return octets;
    }

    long littleEndian(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) octet() << 8 * i;
        }
        return value;
    }

    private long bigEndian(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | octet();
        }
        return value;
    }

    long length() throws IOException {
        long length = lengthOrForm();
        if (special) {
            throw new IOException("there is no length at offset " + offset);
        }
        return length;
    }

    /** Returns a length or, with {@link #special} set, the form of a string. */
    private long lengthOrForm() throws IOException {
        int first = octet();
        special = first >> 6 == 3;
        return switch (first >> 6) {
            case 0, 3 -> first & 0x3F;
            case 1 -> (first & 0x3F) << 8 | octet();
            default ->
                switch (first) {
                    case 0x80 -> bigEndian(4);
                    case 0x81 -> bigEndian(8);
                    default -> throw new IOException("there is no length at offset " + offset);
                };
        };
    }

    byte[] string() throws IOException {
        long length = lengthOrForm();
        if (!special) {
            return octets(length);
        }
        return switch ((int) length) {
            case 0 -> text((byte) littleEndian(1));
            case 1 -> text((short) littleEndian(2));
            case 2 -> text((int) littleEndian(4));
            case 3 -> {
                long packed = length();
                int unpacked = Math.toIntExact(Math.min(length(), Integer.MAX_VALUE));
                if (unpacked > MOST_BYTES) {
                    throw new IOException("a string of " + unpacked + " bytes is too long, at offset " + offset);
                }
                yield expand(octets(packed), unpacked);
            }
            default -> throw new IOException("there is no string at offset " + offset);
        };
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** Undoes LZF: a byte below 32 is followed by so many bytes and one more, others refer to what was before. */
    private static byte[] expand(byte[] packed, int length) {
        byte[] out = new byte[length];
        int from = 0;
        int to = 0;
        while (from < packed.length) {
            int control = packed[from++] & 0xFF;
            if (control < 32) {
                System.arraycopy(packed, from, out, to, control + 1);
                from += control + 1;
                to += control + 1;
            } else {
                int count = control >> 5;
                count += count == 7 ? packed[from++] & 0xFF : 0;
                int at = to - ((control & 0x1F) << 8 | packed[from++] & 0xFF) - 1;
                for (int i = 0; i < count + 2; i++) {
                    out[to++] = out[at++];
                }
            }
        }
        if (to != length) {
            throw new IllegalArgumentException("it has " + to + " bytes in place of " + length);
        }
        return out;
    }
}
