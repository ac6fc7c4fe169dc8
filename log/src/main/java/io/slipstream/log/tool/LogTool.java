package io.slipstream.log.tool;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.tool.RecordWalk;
import io.slipstream.log.event.Event;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import io.slipstream.log.event.SiteFile;
import io.slipstream.log.event.Sites;
import io.slipstream.log.event.ThreadNames;
import io.slipstream.log.layout.Layout;
import io.slipstream.log.layout.Statement;
import io.slipstream.log.layout.TextStatements;
import io.slipstream.log.output.JournalOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Shows the events of a binary log as text. For one thread. */
public final class LogTool implements AutoCloseable {
    private static final String[] COLORS = {"\u001b[90m", "\u001b[36m", "", "\u001b[33m", "\u001b[31m"};
    private static final String PLAIN = "\u001b[0m";

    private final Path folder;
    private final LogFilter filter;
    private final Layout layout;
    private final boolean colors;
    private final OutputStream out;
    private final RecordWalk walk;
    private final Sites sites = new Sites(_ -> {});
    private final Map<Integer, Statement> statements = new HashMap<>();
    private final TextStatements texts = new TextStatements();
    private final ThreadNames threads = new ThreadNames();
    private final Event event = new Event();
    private final TextBuffer line = new TextBuffer(1024);
    private final TextBuffer name = new TextBuffer(64);
    private long count;

    /**
     * Opens a log to look at it.
     *
     * @param format {@code pattern}, {@code json} or {@code logfmt}
     * @throws IOException if there is none in the folder
     */
    public LogTool(Path folder, LogFilter filter, String format, String pattern, boolean colors, OutputStream out)
            throws IOException {
        Path journal = folder.resolve(JournalOutput.FOLDER);
        if (!Files.isDirectory(journal)) {
            throw new IOException(
                    "there is no binary log in " + folder + ": it has no folder '" + JournalOutput.FOLDER + "'");
        }
        this.folder = folder;
        this.filter = filter;
        this.layout = Layout.of(format, pattern);
        this.colors = colors;
        this.out = out;
        this.walk = new RecordWalk(journal);
        SiteFile.read(folder, sites::add);
    }

    /** Shows what is there and was not shown yet; returns how many events were. */
    public long show() throws IOException {
        long before = count;
        walk.poll(this::show);
        return count - before;
    }

    private void show(MemorySegment memory, long offset, int length) {
        event.wrap(memory, offset, length);
        if (JournalRecord.type(memory, offset) != EventLayout.TYPE || !event.isWhole()) {
            return;
        }
        if (event.site() == EventLayout.THREAD_NAME_SITE) {
            name.clear();
            if (event.next()) {
                event.appendTo(name);
            }
            threads.put(event.thread(), name.toString());
            return;
        }
        Statement statement = EventLayout.isText(event.site()) ? texts.of(event) : statement(event.site());
        Level level = statement.level();
        if (!filter.takes(level, statement.logger(), event.nanos())) {
            return;
        }
        line.clear();
        layout.append(event, statement, threads.name(event.thread()), line);
        String text = shown(line.toString());
        if (!filter.finds(text)) {
            return;
        }
        count++;
        try {
            boolean isColored = colors && level != Level.INFO;
            out.write((isColored ? COLORS[level.ordinal()] + text.stripTrailing() + PLAIN + "\n" : text)
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a message has for the terminal, such as the beginning of an escape sequence, is shown and not obeyed. */
    private static String shown(String text) {
        if (text.chars().noneMatch(LogTool::isForTerminal)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isForTerminal(c)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    private static boolean isForTerminal(int c) {
        return Character.isISOControl(c) && c != '\n' && c != '\t';
    }

    private Statement statement(int id) {
        Statement known = statements.get(id);
        if (known == null) {
            known = new Statement(site(id));
            statements.put(id, known);
        }
        return known;
    }

    private Site site(int id) {
        Site known = sites.get(id);
        if (known == null) {
            // A statement that came since, of the program that writes.
            try {
                SiteFile.read(folder, sites::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            known = sites.get(id);
        }
        return known != null ? known : new Site(id, Level.INFO, "?", "[unknown statement " + id + "] {} {} {} {}");
    }

    @Override
    public void close() throws IOException {
        walk.close();
        out.flush();
    }
}
