package io.slipstream.keyvalue.resp;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What {@code CLIENT LIST} tells of a connection. Set by its gateway's thread; others may see what is a little old. */
final class Client {
    static final int DEFAULT_PROTOCOL = 2;

    long session;
    String remote = "";
    String name = "";
    String libraryName = "";
    String libraryVersion = "";
    String user = "default";
    String lastCommand = "NULL";
    int protocol = DEFAULT_PROTOCOL;

    /** The number of the database that it has selected. */
    int database;

    final Transaction transaction;
    final Silence silence = new Silence();

    boolean blocked;

    /** It has subscribed to something, and may still be. */
    boolean mayListen;

    private final long sinceNanos = System.nanoTime();
    private long lastNanos = sinceNanos;

    /** Creates it, with what the transactions of all clients hold. */
    Client(QueuedBytes queued) {
        transaction = new Transaction(queued);
    }

    /** Notes that it has asked for something: a command, with its subcommand if it has some. */
    void asks(RedisCommand command, Words words) {
        lastCommand = command.hasSubcommands() && words.count() > 1
                ? command.text() + "|" + words.shown(1).toLowerCase(Locale.ROOT)
                : command.text();
        lastNanos = System.nanoTime();
    }

    String type() {
        return mayListen ? "pubsub" : "normal";
    }

    /** Returns its line, without an end. */
    String line() {
        String flags = (blocked ? "b" : "") + (mayListen ? "P" : "") + (transaction.isOpen() ? "x" : "");
        return "id=" + session + " addr=" + remote + " name=" + name + " age=" + seconds(sinceNanos) + " idle="
                + seconds(lastNanos) + " flags=" + (flags.isEmpty() ? "N" : flags) + " db=" + database
                + " multi=" + transaction.size() + " events=r cmd="
                + lastCommand + " user=" + user + " redir=-1 resp=" + protocol + " lib-name=" + libraryName
                + " lib-ver="
                + libraryVersion;
    }

    private static long seconds(long fromNanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - fromNanos);
    }
}
