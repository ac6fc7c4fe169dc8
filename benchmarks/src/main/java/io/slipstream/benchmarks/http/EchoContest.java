package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A command through the gateway, beside Jetty with the same threads that sends the body back. */
final class EchoContest implements Contest {
    private static final int CONNECTIONS = 64;
    private static final int THREADS = 32;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site site;
    private final Server echo;
    private final ServerConnector connector;

    EchoContest(int seconds) throws Exception {
        this.seconds = seconds;
        site = new Site(scratch.folder().resolve("data"), Durability.PROCESS, HttpLimits.DEFAULT);
        echo = new Server(new QueuedThreadPool(THREADS));
        connector = new ServerConnector(echo, 1, 1, new HttpConnectionFactory());
        connector.setHost("127.0.0.1");
        echo.addConnector(connector);
        echo.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                Content.copy(request, response, callback);
                return true;
            }
        });
        echo.start();
    }

    @Override
    public double ours() throws IOException {
        return wrk.run(site.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(connector.getLocalPort(), CONNECTIONS, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                site) {
            echo.stop();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the echo did not stop", e);
        }
    }
}
