package io.slipstream.replica.primary;

import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.replica.site.FencedException;
import io.slipstream.replica.site.Site;
import io.slipstream.replica.wire.Handshake;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.RecordSum;
import io.slipstream.replica.wire.Token;
import io.slipstream.replica.wire.WireException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** Finds the backup and agrees with it where to go on. For one thread at a time. */
final class BackupAddress {
    private final PushConfig config;
    private final Journal journal;
    private final Token token;

    BackupAddress(PushConfig config, Journal journal) {
        this.config = config;
        this.journal = journal;
        this.token = new Token(config.token());
    }

    /** What the backup has agreed to. */
    record Agreement(Link link, long nextSequence) {}

    /**
     * Connects and agrees.
     *
     * @throws FencedException if the backup was promoted
     * @throws IOException     if it is not there, or what it has is not the beginning of this journal
     */
    Agreement agree(Site site) throws IOException {
        Link link = connect();
        try {
            ByteBuffer hello = Link.buffer(5 * Long.BYTES);
            hello.putLong(journal.id().getMostSignificantBits())
                    .putLong(journal.id().getLeastSignificantBits());
            hello.putLong(site.term())
                    .putLong(journal.firstSequence())
                    .putLong(journal.durableSequence().getAcquire());
            Handshake.open(link, token, Kind.HELLO, hello.flip());
            Kind answer = link.receive(Link.MAX_BYTES_OF_STRANGERS);
            switch (answer) {
                case WELCOME -> {
                    link.number();
                    long next = link.number();
                    requireBeginning(next, link.number());
                    link.silence(config.silenceMillis());
                    return new Agreement(link, next);
                }
                case FENCED -> throw fenced(site, link.number(), link.number());
                case REFUSED -> throw new IOException("the backup site refuses this journal: " + link.text());
                default -> throw new IOException("the backup site answers with " + answer);
            }
        } catch (IOException | RuntimeException | Error e) {
            link.close();
            throw e;
        }
    }

    private Link connect() throws IOException {
        InetSocketAddress backup = new InetSocketAddress(
                config.backup().getHostString(), config.backup().getPort());
        Socket socket = config.host().threads().socket();
        try {
            socket.connect(backup, config.connectTimeoutMillis());
            return Link.over(
                    config.host(), socket, config.tls(), backup.getHostString(), config.connectTimeoutMillis());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw new IOException("cannot connect to the backup site at " + backup + ": " + e.getMessage(), e);
        }
    }

    private FencedException fenced(Site site, long term, long sequence) throws IOException {
        if (term <= site.term()) {
            throw new WireException("the backup site says that it was promoted to term " + term
                    + ", which is not above " + site.term() + ", the term here; nothing was changed");
        }
        Site fenced = site.fenced(term, sequence);
        fenced.write(config.host(), config.folder());
        return new FencedException(fenced.refusal());
    }

    /** The last record of the backup must be the one that is here at its place. */
    private void requireBeginning(long next, long sum) throws IOException {
        if (next < 1) {
            throw new WireException("the backup site asks for record " + next);
        }
        long last = next - 1;
        if (last > journal.durableSequence().getAcquire()) {
            throw new IOException("the backup site has records up to " + last + ", and this journal ends with "
                    + journal.durableSequence().getAcquire() + ": it has lost what the backup has. Promote the backup,"
                    + " or seed it anew");
        }
        if (last < journal.firstSequence()) {
            if (next < journal.firstSequence()) {
                throw new IOException("the backup site needs record " + next + ", and the oldest one here is "
                        + journal.firstSequence() + "; seed it with a copy: `slipstream journal copy`");
            }
            return;
        }
        long[] here = new long[1];
        RecordSum sums = new RecordSum();
        try (JournalReader reader = journal.reader(last)) {
            reader.poll((memory, offset, length) -> here[0] = sums.of(memory, offset, length), 1);
        }
        if (here[0] != sum) {
            throw new IOException("record " + last + " at the backup site is another one than here: the two have gone"
                    + " different ways. Promote the backup, or seed it anew");
        }
    }
}
