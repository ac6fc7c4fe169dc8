package io.slipstream.cli.service;

import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.text.SettingsText;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.Service;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** HTTP in front of a service: options of every command that serves. */
public final class HttpOptions {
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--http",
            paramLabel = "P",
            description = "Serves the dashboard, metrics and health by HTTP on this port of 127.0.0.1; 0 for any free "
                    + "one. See docs/http.md.")
    private @Nullable Integer port;

    @Option(
            names = "--http-token",
            paramLabel = "FILE",
            description = "File with the token that the gateway logs in with, if there is --access.")
    private @Nullable Path token;

    @Option(
            names = "--http-trust",
            paramLabel = "PEM",
            description = "Certificates that the gateway trusts, if there is --tls-certificate: its own, or its "
                    + "authority's. It must name the address of --host.")
    private @Nullable Path trust;

    /** Creates the options; picocli fills them in. */
    public HttpOptions() {}

    /** Checks the options before anything is opened. */
    public void check(CommandSpec command, AccessOptions access) {
        Integer asked = port;
        if (asked == null) {
            if (token != null || trust != null) {
                throw Usage.wrong(command, (token != null ? "--http-token" : "--http-trust") + " needs --http");
            }
            return;
        }
        Usage.range(command, "--http", asked, 0, MOST_PORT);
        if (access.hasTls() != (trust != null)) {
            throw Usage.wrong(
                    command,
                    access.hasTls()
                            ? "with --tls-certificate, --http needs --http-trust: the "
                                    + "certificate that the gateway is to trust"
                            : "--http-trust needs --tls-certificate");
        }
        if (access.hasAccessFile() && token == null) {
            throw Usage.wrong(
                    command,
                    "with --access, --http needs --http-token: the file with the token that the "
                            + "gateway logs in with");
        }
    }

    /**
     * Opens the gateway, and says where.
     *
     * @param counters of this process, for the dashboard; null if there are none
     * @return null if there is to be none
     */
    public @Nullable HttpGateway open(
            Service service, String host, Api api, @Nullable Counters counters, PrintWriter out) throws IOException {
        Integer asked = port;
        if (asked == null) {
            return null;
        }
        Upstream upstream = Upstream.at(new InetSocketAddress(reachable(host), service.port()));
        upstream = token == null ? upstream : upstream.withToken(secret(token));
        upstream = trust == null ? upstream : upstream.withTls(Tls.client(trust));
        upstream = counters == null ? upstream : upstream.withCounters(counters.file());
        HttpGateway gateway = HttpGateway.start(HttpConfig.onPort(asked), api, upstream);
        out.printf(
                Locale.ROOT, "Dashboard on http://localhost:%d/ with /metrics, /health and /ready.%n", gateway.port());
        return gateway;
    }

    /**
     * Ends the gateway, the service and the counters in that order when the process is asked to stop: the gateway
     * answers what it has taken while the service still does.
     *
     * @param gateway what {@link #open} has returned
     */
    public static StopSignal stopInOrder(
            Service service, @Nullable HttpGateway gateway, @Nullable Counters counters, PrintWriter out) {
        return StopSignal.install(
                service,
                gateway == null ? () -> {} : gateway::close,
                counters == null ? () -> {} : counters::close,
                out);
    }

    private static String reachable(String host) {
        return host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
    }

    private static String secret(Path file) throws IOException {
        return SettingsText.firstLine(file);
    }
}
