package io.slipstream.log.output;

import io.slipstream.core.frame.Frame;
import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Event;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Site;
import io.slipstream.log.event.Sites;
import io.slipstream.log.event.ThreadNames;
import io.slipstream.log.layout.Layout;
import io.slipstream.log.layout.Statement;
import io.slipstream.log.layout.TextStatements;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Turns events into lines and writes many of them at once. */
public final class TextOutput implements Output {
    private static final int WRITE_BYTES = 1 << 16;
    /** How many statements are kept prepared: a power of two. */
    private static final int PREPARED = 1 << 12;

    private final Layout layout;
    private final LineSink sink;
    private final Sites sites;
    private final Losses losses;
    private final ThreadNames threads = new ThreadNames();
    private final TextStatements texts = new TextStatements();
    private final Event event = new Event();
    private final TextBuffer text = new TextBuffer(WRITE_BYTES + (WRITE_BYTES >> 2));
    private final TextBuffer name = new TextBuffer(64);
    private final @Nullable Statement[] statements = new Statement[PREPARED];
    private final int[] ids = new int[PREPARED];
    private int lines;

    private TextOutput(LogConfig config, LineSink sink, Sites sites, Losses losses) {
        this.layout = Layout.of(config.format(), config.pattern());
        this.sink = sink;
        this.sites = sites;
        this.losses = losses;
    }

    /** Writes to the standard output. */
    public static Output console(LogConfig config, PrintStream out, Sites sites, Losses losses) {
        return new TextOutput(config, new ConsoleSink(out), sites, losses);
    }

    /** Writes to a file. */
    public static Output file(LogConfig config, Path file, Sites sites, Losses losses) {
        return new TextOutput(config, new FileSink(file, config, losses), sites, losses);
    }

    @Override
    public void write(MemorySegment memory, long offset, int bytes) {
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            int length = Frame.length(memory, at);
            append(memory, at, length);
            if (text.length() >= WRITE_BYTES) {
                writeOut();
            }
            at += Frame.align(length);
        }
        writeOut();
    }

    private void append(MemorySegment memory, long at, int length) {
        int id = EventLayout.site(memory, at);
        event.wrap(memory, at, length);
        int before = text.length();
        try {
            if (id == EventLayout.THREAD_NAME_SITE) {
                name.clear();
                event.next();
                event.appendTo(name);
                threads.put(event.thread(), name.toString());
                return;
            }
            Statement statement = EventLayout.isText(id) ? texts.of(event) : statement(id);
            layout.append(event, statement, threads.name(event.thread()), text);
            lines++;
        } catch (RuntimeException | Error e) {
            text.truncate(before);
            losses.fail(id == EventLayout.THREAD_NAME_SITE ? 0 : 1, "a message cannot be turned into text", e);
        }
    }

    private Statement statement(int id) {
        int slot = id & PREPARED - 1;
        Statement known = statements[slot];
        if (known == null || ids[slot] != id) {
            Site site = sites.get(id);
            if (site == null) {
                throw new IllegalStateException("no statement has number " + id);
            }
            known = new Statement(site);
            statements[slot] = known;
            ids[slot] = id;
        }
        return known;
    }

    private void writeOut() {
        if (text.length() == 0) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            sink.write(text);
        } catch (IOException e) {
            losses.lose(lines, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            losses.fail(lines, "lines cannot be written", e);
        } finally {
            restore(interrupted);
        }
        text.clear();
        lines = 0;
    }

    @Override
    public void tick() {
        boolean interrupted = Thread.interrupted();
        try {
            sink.tick();
        } catch (IOException e) {
            losses.lose(0, String.valueOf(e.getMessage()));
        } finally {
            restore(interrupted);
        }
    }

    /** A sink works undisturbed: an interrupt, which a caller's worker may get, closes the channel that is written. */
    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            sink.close();
        } catch (IOException e) {
            losses.lose(0, String.valueOf(e.getMessage()));
        }
    }
}
