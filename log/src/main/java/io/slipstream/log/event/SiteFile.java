package io.slipstream.log.event;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The statements of a binary log, one line for each: checksum, number, level, logger, message, with tabs between. A
 * line is there before anything that has its number. A line that was cut off, or is damaged, is skipped.
 */
public final class SiteFile implements AutoCloseable {
    /** Name in the folder of the log. */
    public static final String NAME = "statements";

    private static final int FIELDS = 5;

    /** No channel: one closes when the thread that logs was interrupted. */
    private final OutputStream out;

    private final Deque<Site> pending = new ArrayDeque<>();

    /** Opens the file of the log in {@code folder} to append, and makes it if it is not there. */
    public SiteFile(Path folder) throws IOException {
        out = new FileOutputStream(folder.resolve(NAME).toFile(), true);
    }

    /** Appends a line, and those that could not be appended before. What cannot be now is kept for the next time. */
    public synchronized void append(Site site) throws IOException {
        pending.add(site);
        appendPending();
    }

    /** Appends the lines that could not be appended before. */
    public synchronized void appendPending() throws IOException {
        for (Site site = pending.peek(); site != null; site = pending.peek()) {
            write(site);
            pending.remove();
        }
    }

    private void write(Site site) throws IOException {
        String body = site.id() + "\t" + site.level() + "\t" + escaped(site.logger()) + "\t" + escaped(site.message());
        // The first byte ends what a crash may have left.
        out.write(("\n" + checksum(body) + "\t" + body + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Reads all whole lines of the log in {@code folder}; none if there is no such file. */
    public static void read(Path folder, Consumer<Site> each) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return;
        }
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            String[] fields = line.split("\t", FIELDS);
            if (fields.length == FIELDS && fields[0].equals(checksum(line.substring(fields[0].length() + 1)))) {
                each.accept(new Site(
                        Integer.parseInt(fields[1]), Level.valueOf(fields[2]), plain(fields[3]), plain(fields[4])));
            }
        }
    }

    private static String checksum(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                c = switch (text.charAt(++i)) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    default -> text.charAt(i);
                };
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
