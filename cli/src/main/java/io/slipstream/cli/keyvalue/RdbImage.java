package io.slipstream.cli.keyvalue;

import io.slipstream.keyvalue.resp.Words;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The keys of an RDB image, up to version 11 of its form, as the commands that make them. Redis' {@code rdb.h} has the
 * numbers.
 */
final class RdbImage {
    private static final int MOST_VERSION = 11;
    private static final int MOST_WORDS = 512;
    private static final int MOST_BYTES = 1 << 17;

    private final Path file;
    private final RdbInput in;
    private final Queue<List<byte[]>> commands = new ArrayDeque<>();
    private int version;
    private long expiresAt;
    private boolean ended;

    RdbImage(Path file, InputStream from) {
        this.file = file;
        in = new RdbInput(from);
    }

    /** Returns how many bytes were read. */
    long offset() {
        return in.offset();
    }

    /** Returns the next command, or an empty list at the end of the image. */
    List<byte[]> next() throws IOException {
        try {
            if (version == 0) {
                version = version();
            }
            while (commands.isEmpty() && !ended) {
                step(in.octet());
            }
        } catch (EOFException e) {
            throw new IOException(file + " ends within its RDB image, at offset " + in.offset() + "; it is damaged", e);
        } catch (RuntimeException e) {
            throw new IOException(
                    file + " is damaged: what Redis packs together at offset " + in.offset() + " cannot be read ("
                            + e.getMessage() + ")",
                    e);
        }
        List<byte[]> command = commands.poll();
        return command == null ? List.of() : command;
    }

    private int version() throws IOException {
        String magic = new String(in.octets(9), StandardCharsets.ISO_8859_1);
        if (!magic.matches("REDIS\\d{4}")) {
            throw new IOException(file + " begins with neither an RDB image nor a command");
        }
        int found = Integer.parseInt(magic.substring(5));
        if (found < 1 || found > MOST_VERSION) {
            throw new IOException(file + " has an RDB image of version " + found + "; up to " + MOST_VERSION
                    + " are read. Let Redis write commands: CONFIG SET aof-use-rdb-preamble no, then BGREWRITEAOF");
        }
        return found;
    }

    private void step(int code) throws IOException {
        switch (code) {
            case 0xFA -> {
                in.string();
                in.string();
            }
            case 0xFB -> {
                in.length();
                in.length();
            }
            case 0xFE -> {
                long database = in.length();
                if (database < 0 || database >= Words.DATABASES) {
                    throw AofFile.noDatabase(file, Long.toString(database), in.offset());
                }
                commands.add(List.of(ascii("SELECT"), ascii(Long.toString(database))));
            }
            case 0xFD -> expiresAt = in.littleEndian(4) * 1000;
            case 0xFC -> expiresAt = in.littleEndian(8);
            case 0xF8 -> in.length();
            case 0xF9 -> in.octet();
            case 0xF5 -> throw new IOException(file + " has functions; the store has none");
            case 0xF7 -> throw new IOException(file + " has data of a module; the store has no modules");
            case 0xFF -> end();
            default -> key(code);
        }
    }

    private void end() throws IOException {
        long expected = in.checksum();
        if (version >= 5) {
            long written = in.littleEndian(8);
            if (written != 0 && written != expected) {
                throw new IOException(file + " is damaged: the checksum of its RDB image is wrong");
            }
        }
        ended = true;
    }

    private void key(int type) throws IOException {
        byte[] key = in.string();
        switch (type) {
            case 0 -> add("SET", key, List.of(in.string()), 1);
            case 1 -> add("RPUSH", key, strings(in.length()), 1);
            case 2 -> add("SADD", key, strings(in.length()), 1);
            case 3 -> add("ZADD", key, scored(in.length(), false), 2);
            case 4 -> add("HSET", key, strings(2 * in.length()), 2);
            case 5 -> add("ZADD", key, scored(in.length(), true), 2);
            case 10 -> add("RPUSH", key, RdbPacked.ziplist(in.string()), 1);
            case 11 -> add("SADD", key, RdbPacked.intset(in.string()), 1);
            case 12 -> add("ZADD", key, swapped(RdbPacked.ziplist(in.string())), 2);
            case 13 -> add("HSET", key, RdbPacked.ziplist(in.string()), 2);
            case 14, 18 -> add("RPUSH", key, quicklist(type == 18), 1);
            case 16 -> add("HSET", key, RdbPacked.listpack(in.string()), 2);
            case 17 -> add("ZADD", key, swapped(RdbPacked.listpack(in.string())), 2);
            case 20 -> add("SADD", key, RdbPacked.listpack(in.string()), 1);
            case 15, 19, 21 -> commands.addAll(RdbStream.read(in, key, type));
            default ->
                throw new IOException(file + " holds something of type " + type + " at the key '"
                        + new String(key, StandardCharsets.UTF_8)
                        + "' (6 and 7 are of modules); the store has strings, lists, hashes, sets, sorted sets"
                        + " and streams. Remove the key and try again");
        }
        if (expiresAt != 0) {
            commands.add(List.of(ascii("PEXPIREAT"), key, ascii(Long.toString(expiresAt))));
            expiresAt = 0;
        }
    }

    /** Elements come in groups of {@code group} words that stay together; a command has not too many of them. */
    private void add(String command, byte[] key, List<byte[]> elements, int group) {
        List<byte[]> words = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < elements.size(); i++) {
            if (words.isEmpty() || i % group == 0 && (words.size() >= MOST_WORDS || bytes >= MOST_BYTES)) {
                words = new ArrayList<>(List.of(ascii(command), key));
                commands.add(words);
                bytes = 0;
            }
            words.add(elements.get(i));
            bytes += elements.get(i).length;
        }
    }

    private List<byte[]> strings(long count) throws IOException {
        List<byte[]> strings = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            strings.add(in.string());
        }
        return strings;
    }

    private List<byte[]> scored(long count, boolean binary) throws IOException {
        List<byte[]> words = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            byte[] member = in.string();
            words.add(binary ? score(Double.longBitsToDouble(in.littleEndian(8))) : textScore());
            words.add(member);
        }
        return words;
    }

    private byte[] textScore() throws IOException {
        int length = in.octet();
        return switch (length) {
            case 0xFE -> ascii("inf");
            case 0xFF -> ascii("-inf");
            default -> in.octets(length);
        };
    }

    private static byte[] score(double score) {
        return ascii(Double.isInfinite(score) ? score > 0 ? "inf" : "-inf" : Double.toString(score));
    }

    private List<byte[]> quicklist(boolean second) throws IOException {
        List<byte[]> elements = new ArrayList<>();
        for (long left = in.length(); left > 0; left--) {
            boolean isPlain = second && in.length() == 1;
            byte[] node = in.string();
            elements.addAll(isPlain ? List.of(node) : second ? RdbPacked.listpack(node) : RdbPacked.ziplist(node));
        }
        return elements;
    }

    /** Members and scores, with the score first. */
    private static List<byte[]> swapped(List<byte[]> pairs) {
        List<byte[]> swapped = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            swapped.add(pairs.get(i + 1));
            swapped.add(pairs.get(i));
        }
        return swapped;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
