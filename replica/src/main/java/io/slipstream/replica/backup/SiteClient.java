package io.slipstream.replica.backup;

import io.slipstream.replica.wire.Handshake;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.Token;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** Asks a backup site, and tells it to take over. One connection for each call; any thread. */
public final class SiteClient {
    /* A site that takes over applies what it has, writes a snapshot and opens a service before it answers. */
    private static final int PROMOTION_MILLIS = 120_000;

    private final BackupConfig site;
    private final Host host;

    /** Creates a client of the site that listens at the address of {@code site}, with its token and TLS. */
    public SiteClient(BackupConfig site) {
        this(site, Host.system());
    }

    /** As {@link #SiteClient(BackupConfig)}, on a host that gives sockets and time; its threads may ask. */
    public SiteClient(BackupConfig site, Host host) {
        this.site = site;
        this.host = host;
    }

    /**
     * An answer of the warm state machine.
     *
     * @param sequence of the last record that it had applied
     * @param payload  of its reply
     */
    public record Answer(long sequence, byte[] payload) {}

    /** Asks how it is. */
    public SiteReport status() throws IOException {
        try (Link link = ask(Kind.STATUS, ByteBuffer.allocate(0), Kind.REPORT, silenceMillis())) {
            return SiteReport.decode(link);
        }
    }

    /** Asks the warm state machine; the answer is as of the sequence that it names, and may be behind the primary. */
    public Answer query(byte[] payload) throws IOException {
        try (Link link = ask(Kind.QUERY, ByteBuffer.wrap(payload), Kind.RESULT, silenceMillis())) {
            long sequence = link.number();
            byte[] reply = new byte[link.received().remaining()];
            link.received().get(reply);
            return new Answer(sequence, reply);
        }
    }

    /**
     * Tells it to take over. It is a backup no more when this returns, and its former primary is fenced; asking again
     * does nothing.
     *
     * @throws IOException if it refuses, or has not answered within two minutes; then it may take over nevertheless
     */
    public Promotion promote() throws IOException {
        try (Link link = ask(Kind.PROMOTE, ByteBuffer.allocate(0), Kind.PROMOTED, PROMOTION_MILLIS)) {
            return new Promotion(link.number(), link.number());
        }
    }

    private int silenceMillis() {
        return (int) site.silence().toMillis();
    }

    private Link ask(Kind question, ByteBuffer content, Kind wanted, int answerMillis) throws IOException {
        Socket socket = host.threads().socket();
        try {
            socket.connect(site.address(), silenceMillis());
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot connect to the backup site at " + site.address() + ": " + e.getMessage(), e);
        }
        Link link = Link.over(host, socket, site.tls(), site.address().getHostString(), silenceMillis());
        try {
            Handshake.open(link, new Token(site.token()), question, content);
            link.silence(answerMillis);
            Kind answer = link.receive(Link.MAX_BYTES);
            if (answer == Kind.REFUSED) {
                throw new IOException("the backup site at " + site.address() + " refuses: " + link.text());
            }
            if (answer != wanted) {
                throw new IOException("the backup site at " + site.address() + " answers with " + answer);
            }
            return link;
        } catch (SocketTimeoutException e) {
            link.close();
            throw new IOException(
                    "the backup site at " + site.address() + " does not answer"
                            + (question == Kind.PROMOTE ? "; it may take over nevertheless: ask for its status" : ""),
                    e);
        } catch (IOException | RuntimeException | Error e) {
            link.close();
            throw e;
        }
    }
}
