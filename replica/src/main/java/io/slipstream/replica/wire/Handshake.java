package io.slipstream.replica.wire;

import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/** How a connection begins: the backup challenges, the other side proves that it knows the token. */
public final class Handshake {
    /** Version of this protocol. */
    public static final int VERSION = 1;

    private static final int NONCE_BYTES = 16;
    private static final Set<Kind> OPENINGS = Set.of(Kind.HELLO, Kind.STATUS, Kind.QUERY, Kind.PROMOTE);

    private Handshake() {}

    /** Opens the conversation with a message of that kind; for the side that has connected. */
    public static void open(Link link, Token token, Kind kind, ByteBuffer content) throws IOException {
        Kind first = link.receive(Link.MAX_BYTES_OF_STRANGERS);
        if (first == Kind.REFUSED) {
            throw new WireException(link.text());
        }
        ByteBuffer challenge = link.received();
        if (first != Kind.CHALLENGE || challenge.remaining() != Integer.BYTES + NONCE_BYTES) {
            throw new WireException("there is no backup site at " + link.peer());
        }
        int version = challenge.getInt();
        if (version != VERSION) {
            throw new WireException("the site at " + link.peer() + " speaks version " + version + ", this one "
                    + VERSION + "; run the same version at both");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        challenge.get(nonce);
        ByteBuffer proven = Link.buffer(Token.PROOF_BYTES + content.remaining());
        proven.put(token.prove(nonce, kind, content)).put(content.duplicate());
        link.send(kind, proven.flip());
    }

    /**
     * Challenges whoever has connected, and returns what he wants; the rest of his message is in {@link
     * Link#received}.
     *
     * @param host where the challenge comes from, which nobody can guess
     * @throws WireException if he does not know the token, which he is told
     */
    public static Kind accept(Link link, Token token, Host host) throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        ByteBuffer.wrap(nonce).putLong(host.secret()).putLong(host.secret());
        link.send(
                Kind.CHALLENGE,
                Link.buffer(Integer.BYTES + NONCE_BYTES)
                        .putInt(VERSION)
                        .put(nonce)
                        .flip());
        Kind kind = link.receive(Link.MAX_BYTES_OF_STRANGERS);
        ByteBuffer message = link.received().order(ByteOrder.LITTLE_ENDIAN);
        if (!OPENINGS.contains(kind) || message.remaining() < Token.PROOF_BYTES) {
            throw new WireException(link.peer() + " did not open the conversation as agreed");
        }
        byte[] proof = new byte[Token.PROOF_BYTES];
        message.get(proof);
        if (!token.accepts(proof, nonce, kind, message)) {
            link.send(Kind.REFUSED, "the token is wrong");
            throw new WireException(link.peer() + " does not know the token");
        }
        return kind;
    }
}
