package io.slipstream.cli.keyvalue;

import io.slipstream.keyvalue.resp.RedisCommand;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what a store cannot hold, before anything is written into it. */
final class AofCheck {
    private static final int MOST_SHOWN = 10;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MOST_NAME = 100;

    /** More than the headers of a message and of the words have. */
    private static final int HEADER_BYTES = 128;

    private static final Set<String> COMMANDS =
            Stream.of(RedisCommand.values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

    private final int mostBytes;
    private final int mostOfCommand;
    private final List<String> problems = new ArrayList<>();
    private long count;

    /** Begins with a store whose values have at most {@code mostBytes}. */
    AofCheck(int mostBytes) {
        this.mostBytes = mostBytes;
        this.mostOfCommand = Math.max(ServeKeyValue.MAX_COMMAND_BYTES, mostBytes + ServeKeyValue.FRAME_OVERHEAD);
    }

    /** Reads a file to its end; returns what is to be said of it, or an empty text. */
    String read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            AofFile commands = new AofFile(file, in);
            try {
                while (commands.next()) {
                    String problem = problem(commands.words());
                    if (problem != null) {
                        add(problem);
                    }
                }
            } catch (EOFException e) {
                return "The last command of " + file + " is cut off, as a crash leaves it; it is left out."
                        + System.lineSeparator();
            }
        }
        return "";
    }

    private void add(String problem) {
        count++;
        if (problems.size() < MOST_SHOWN) {
            problems.add(problem);
        }
    }

    /** Returns whether the store can hold all that was read. */
    boolean isComplete() {
        return count == 0;
    }

    /** Says what will not come in. */
    void tell(PrintWriter out) {
        problems.forEach(problem -> out.println("left out: " + problem));
        if (count > problems.size()) {
            out.printf(Locale.ROOT, "left out: %,d more%n", count - problems.size());
        }
    }

    /** Returns why the store does not take a command, or null if it does. */
    @Nullable
    String problem(List<byte[]> words) {
        if (!COMMANDS.contains(text(words, 0).toUpperCase(Locale.ROOT))) {
            return name(words) + ": the store has no such command";
        }
        long bytes = HEADER_BYTES;
        for (byte[] word : words) {
            if (word.length > mostBytes) {
                return name(words) + ": a value has " + word.length + " bytes, and at most " + mostBytes + " are taken";
            }
            bytes += Integer.BYTES + word.length;
        }
        return bytes <= mostOfCommand
                ? null
                : name(words) + ": the command has " + bytes + " bytes, and at most " + mostOfCommand + " are taken";
    }

    /** Returns how a command is named to people: with its first argument, which most often is a key. */
    static String name(List<byte[]> words) {
        return words.size() < 2 ? text(words, 0) : text(words, 0) + " '" + text(words, 1) + "'";
    }

    private static String text(List<byte[]> words, int i) {
        byte[] word = words.get(i);
        return new String(word, 0, Math.min(word.length, MOST_NAME), StandardCharsets.UTF_8);
    }
}
