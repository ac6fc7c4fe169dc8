package io.slipstream.http.listen;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/**
 * Closes connections whose request does not arrive in time, however busily they send a byte now and then. A silent
 * connection is left to the idle timeout.
 */
final class SlowRequests implements Connection.Listener {
    private static final class Progress {
        private long messages;
        private long bytes;
        private long sinceNanos;
    }

    private final long limitNanos;
    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

    SlowRequests(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    @Override
    public void onOpened(Connection connection) {
        Progress progress = new Progress();
        progress.sinceNanos = System.nanoTime();
        connections.put(connection, progress);
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** Looks at all of them; one thread, several times within the limit. */
    void sweep(long nowNanos) {
        connections.forEach((connection, progress) -> {
            Connection speaking = inside(connection);
            long messages = speaking.getMessagesIn();
            long bytes = connection.getBytesIn();
            if (messages != progress.messages || bytes == progress.bytes || isAnswering(speaking)) {
                progress.messages = messages;
                progress.bytes = bytes;
                progress.sinceNanos = nowNanos;
            } else if (nowNanos - progress.sinceNanos > limitNanos) {
                connection.close();
            }
        });
    }

    /** A connection of TLS counts no messages: those are counted by the one that it wraps, once there is one. */
    private static Connection inside(Connection connection) {
        Connection wrapped =
                connection instanceof SslConnection ssl ? ssl.getSslEndPoint().getConnection() : null;
        return wrapped == null ? connection : wrapped;
    }

    /**
     * With HTTP/2 a client also sends while it is answered, to say how much more it takes. Bodies that arrive slowly
     * have a limit of their own.
     */
    private static boolean isAnswering(Connection connection) {
        return connection instanceof HTTP2Connection && connection.getMessagesIn() > connection.getMessagesOut();
    }
}
