package io.slipstream.http.listen;

import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.host.Host;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** Listens: HTTP/1.1 and HTTP/2, plain or by TLS. */
public final class Listener implements AutoCloseable {
    private static final int THREADS = 32;
    private static final long SHORTEST_SWEEP_NANOS = 1_000_000;

    private final Server server;
    private final ServerConnector connector;
    private final Host.Alarm sweeper;

    /**
     * Begins to listen.
     *
     * @param errors answers what is no request
     * @throws IOException if the address cannot be bound or the certificate cannot be read; the message says which
     */
    public Listener(HttpConfig config, Handler handler, Request.Handler errors) throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName("slipstream-http");
        threads.setDaemon(true);
        server = new Server(threads);
        HttpConfiguration http = http(config);
        Tls tls = config.tls();
        connector = new ServerConnector(server, 1, 1, tls == null ? plain(http) : encrypted(http, tls));
        connector.setHost(config.address().getHostString());
        connector.setPort(config.address().getPort());
        connector.setIdleTimeout(config.limits().idle().toMillis());
        SlowRequests slow = new SlowRequests(config.limits().requestTime().toNanos());
        connector.addBean(slow);
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(handler));
        server.setErrorHandler(errors);
        server.setStopTimeout(config.limits().answerTime().toMillis());
        long period =
                Math.max(SHORTEST_SWEEP_NANOS, config.limits().requestTime().toNanos() / 4);
        sweeper = Host.system().watch("slipstream-http-sweep", period, () -> slow.sweep(System.nanoTime()));
        // The server would not start for an interrupted thread, though nobody waits here.
        boolean interrupted = Thread.interrupted();
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw new IOException(
                    "cannot listen on " + config.address().getHostString() + ":"
                            + config.address().getPort() + ": " + reason(e),
                    e);
        } finally {
            restore(interrupted);
        }
    }

    /** Returns the port. */
    public int port() {
        return connector.getLocalPort();
    }

    /**
     * Takes no more requests, and ends when those that were taken are answered, or after their time to be. An interrupt
     * meanwhile ends the wait; the thread stays interrupted.
     */
    @Override
    public void close() {
        sweeper.close();
        boolean interrupted = Thread.interrupted();
        try {
            server.stop();
        } catch (TimeoutException e) {
            // Some were not answered in their time; all is stopped nevertheless.
        } catch (InterruptedException e) {
            // As above.
            interrupted = true;
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop: " + e.getMessage(), e);
        } finally {
            restore(interrupted);
        }
    }

    /** The server says only that it failed to bind; its cause says whether the port is taken or the address wrong. */
    private static String reason(Exception e) {
        Throwable why = e.getCause() instanceof SocketException cause ? cause : e;
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpConfiguration http(HttpConfig config) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(config.limits().headerBytes());
        http.setUriCompliance(UriCompliance.RFC3986);
        if (config.tls() != null) {
            http.addCustomizer(new SecureRequestCustomizer(false));
        }
        return http;
    }

    private static ConnectionFactory[] plain(HttpConfiguration http) {
        return new ConnectionFactory[] {new HttpConnectionFactory(http), new PriorKnowledge(http)};
    }

    private static ConnectionFactory[] encrypted(HttpConfiguration http, Tls tls) throws IOException {
        // Says now what is wrong with the files.
        tls.engine(null, 0);
        SslContextFactory.Server ssl = new OurTls(tls);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        return new ConnectionFactory[] {
            new SslConnectionFactory(ssl, alpn.getProtocol()),
            alpn,
            new HTTP2ServerConnectionFactory(http),
            new HttpConnectionFactory(http)
        };
    }

    /**
     * HTTP/2 for who begins with it. A request of HTTP/1.1 that offers to go on with HTTP/2 is answered by HTTP/1.1, as
     * RFC 9113, 3.1, allows: Java's own client loses answers that come before it has changed over.
     */
    private static final class PriorKnowledge extends HTTP2CServerConnectionFactory {
        PriorKnowledge(HttpConfiguration http) {
            super(http);
        }

        @Override
        public @Nullable Connection upgradeConnection(
                Connector to, EndPoint endPoint, MetaData.Request request, HttpFields.Mutable answer) {
            return HttpMethod.PRI.is(request.getMethod())
                    ? super.upgradeConnection(to, endPoint, request, answer)
                    : null;
        }
    }

    /** Takes the engine of each connection from {@link Tls}, which reads files that have changed. */
    private static final class OurTls extends SslContextFactory.Server {
        private final Tls tls;

        OurTls(Tls tls) {
            this.tls = tls;
        }

        @Override
        public SSLEngine newSSLEngine() {
            try {
                return tls.engine(null, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public SSLEngine newSSLEngine(InetSocketAddress client) {
            return newSSLEngine();
        }
    }
}
