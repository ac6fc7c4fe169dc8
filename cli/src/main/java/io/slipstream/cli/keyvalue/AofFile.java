package io.slipstream.cli.keyvalue;

import io.slipstream.keyvalue.resp.Words;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands of an append-only file, one after the other; it may begin with an RDB image, or be one. */
final class AofFile {
    private static final int MOST_WORDS = 1 << 20;
    private static final int MOST_BYTES = 1 << 29;

    private final Path file;
    private final PushbackInputStream in;
    private final List<byte[]> words = new ArrayList<>();
    private @Nullable RdbImage image;
    private long offset;

    AofFile(Path file, InputStream in) {
        this.file = file;
        this.in = new PushbackInputStream(in);
    }

    /** Returns the files of {@code source} in the order in which they are read: those of its manifest, or itself. */
    static List<Path> list(Path source) throws IOException {
        if (!Files.exists(source)) {
            throw new IOException("there is no " + source);
        }
        if (!Files.isDirectory(source)) {
            return List.of(source);
        }
        try (Stream<Path> all = Files.list(source)) {
            Path manifest = all.filter(path -> path.toString().endsWith(".manifest"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(source + " has no file that ends with .manifest; is it the "
                            + "folder of a Redis' append-only files?"));
            List<Path> bases = new ArrayList<>();
            List<Path> increments = new ArrayList<>();
            for (String line : Files.readAllLines(manifest)) {
                String[] parts = line.strip().split(" ");
                if (parts.length == 6 && parts[5].equals("b")) {
                    bases.add(source.resolve(parts[1]));
                } else if (parts.length == 6 && parts[5].equals("i")) {
                    increments.add(source.resolve(parts[1]));
                }
            }
            bases.addAll(increments);
            return bases;
        }
    }

    /**
     * Goes on to the next command; returns false at the end.
     *
     * @throws EOFException if the file ends within a command
     * @throws IOException  if it is no append-only file, or uses a database that the store has not
     */
    boolean next() throws IOException {
        while (true) {
            if (image != null && readImage(image)) {
                return true;
            }
            long start = offset;
            int first = in.read();
            if (first < 0) {
                return false;
            }
            offset++;
            if (first == '#') {
                line();
            } else if (first == 'R' && start == 0) {
                in.unread(first);
                image = new RdbImage(file, in);
            } else if (first == '*') {
                readWords(start);
                requireDatabase(start);
                return true;
            } else {
                throw noCommand(start);
            }
        }
    }

    private boolean readImage(RdbImage from) throws IOException {
        words.clear();
        words.addAll(from.next());
        if (words.isEmpty()) {
            offset = from.offset();
            image = null;
        }
        return !words.isEmpty();
    }

    /** Returns the words of the command. */
    List<byte[]> words() {
        return words;
    }

    /** Writes a command as a client sends it. */
    static void write(List<byte[]> words, OutputStream out) throws IOException {
        out.write(("*" + words.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : words) {
            out.write(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(word);
            out.write('\r');
            out.write('\n');
        }
    }

    private void readWords(long start) throws IOException {
        words.clear();
        int count = number(line(), MOST_WORDS, start);
        for (int i = 0; i < count; i++) {
            String head = line();
            if (!head.startsWith("$")) {
                throw noCommand(start);
            }
            int length = number(head.substring(1), MOST_BYTES, start);
            byte[] word = in.readNBytes(length);
            if (word.length < length) {
                throw new EOFException();
            }
            offset += length;
            words.add(word);
            line();
        }
    }

    private void requireDatabase(long start) throws IOException {
        if (words.size() == 2
                && text(0).toUpperCase(Locale.ROOT).equals("SELECT")
                && IntStream.range(0, Words.DATABASES).noneMatch(number -> text(1).equals(Integer.toString(number)))) {
            throw noDatabase(file, text(1), start);
        }
    }

    static IOException noDatabase(Path file, String number, long offset) {
        return new IOException(file + " uses database " + number + " at offset " + offset
                + "; the store has databases 0 to " + (Words.DATABASES - 1));
    }

    private String text(int i) {
        return new String(words.get(i), StandardCharsets.ISO_8859_1);
    }

    private int number(String text, int most, long start) throws IOException {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // It is none.
        }
        throw noCommand(start);
    }

    private IOException noCommand(long start) {
        return new IOException(file + " has no command at offset " + start + "; it is damaged, or no append-only file");
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            offset++;
            if (b != '\r') {
                line.append((char) b);
            }
        }
        offset++;
        return line.toString();
    }
}
