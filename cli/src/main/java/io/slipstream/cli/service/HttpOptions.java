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
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** HTTP in front of a service: options of every command that serves. */
public final class HttpOptions {
    private static final int MOST_PORT = 65_535;
    private static final String LOOPBACK = "127.0.0.1";

    @Option(
            names = "--http",
            paramLabel = "P",
            description = "Serves the dashboard, JSON, metrics and health by HTTP on this port; 0 for any free one. "
                    + "See docs/http.md.")
    private @Nullable Integer port;

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            description = "Address that --http listens on; " + LOOPBACK + " if not given. One that other machines "
                    + "reach needs --http-tokens, or --open.")
    private @Nullable String httpHost;

    @Option(
            names = "--http-tokens",
            paramLabel = "FILE",
            description = "Lets only those in by HTTP who send a token of this file; a line is NAME read TOKEN or "
                    + "NAME write TOKEN. Read once, at the start.")
    private @Nullable Path tokens;

    @Option(
            names = "--http-tls-certificate",
            paramLabel = "PEM",
            description = "Speaks HTTPS with this certificate. It and its key are read again when they change.")
    private @Nullable Path certificate;

    @Option(names = "--http-tls-key", paramLabel = "PEM", description = "The private key of --http-tls-certificate.")
    private @Nullable Path key;

    @Option(
            names = "--http-names",
            paramLabel = "NAME",
            split = ",",
            description = "Names of this host that requests by HTTP may ask for if there are no --http-tokens, "
                    + "besides localhost.")
    private @Nullable List<String> names;

    @Option(
            names = "--http-origins",
            paramLabel = "ORIGIN",
            split = ",",
            description = "Origins of web pages elsewhere that may call, such as https://desk.example.")
    private @Nullable List<String> origins;

    @Mixin
    private HttpLimitOptions limits;

    @Option(
            names = "--http-token",
            paramLabel = "FILE",
            description = "File with the token that the gateway logs in to the service with, if there is --access.")
    private @Nullable Path token;

    @Option(
            names = "--http-trust",
            paramLabel = "PEM",
            description = "Certificates that the gateway trusts, if there is --tls-certificate: its own, or its "
                    + "authority's. It must name the address of --host.")
    private @Nullable Path trust;

    private @Nullable HttpConfig config;
    private @Nullable Upstream upstream;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public HttpOptions() {}

    /**
     * Checks the options, and reads the files that they name, before anything else is opened.
     */
    public void check(CommandSpec command, AccessOptions access) {
        Integer asked = port;
        if (asked == null) {
            String alone = given();
            if (alone != null) {
                throw Usage.wrong(command, alone + " needs --http");
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
        if (access.hasAccessFile() != (token != null)) {
            throw Usage.wrong(
                    command,
                    access.hasAccessFile()
                            ? "with --access, --http needs --http-token: the file with the token that the "
                                    + "gateway logs in with"
                            : "--http-token needs --access");
        }
        if ((certificate == null) != (key == null)) {
            throw Usage.wrong(command, "--http-tls-certificate and --http-tls-key go together");
        }
        config = Usage.valid(command, () -> config(command, asked, access.isOpen()));
        upstream = Usage.valid(command, this::upstream);
    }

    /** Reads what the gateway shows to the service, and trusts; the port is not known yet. */
    private Upstream upstream() {
        Upstream made = Upstream.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            if (token != null) {
                String secret = firstLine(token);
                if (secret.isEmpty()) {
                    throw new IllegalArgumentException(token + " for --http-token has no token in its first line");
                }
                made = made.withToken(secret);
            }
        } catch (IOException e) {
            throw unreadable(token, "--http-token", e);
        }
        if (trust != null) {
            Tls tls = Tls.client(trust);
            try {
                // Reads the file.
                tls.engine(LOOPBACK, 0);
            } catch (IOException e) {
                throw unreadable(trust, "--http-trust", e);
            }
            made = made.withTls(tls);
        }
        return made;
    }

    private static IllegalArgumentException unreadable(@Nullable Path file, String option, IOException why) {
        return new IllegalArgumentException(
                file == null || Files.exists(file)
                        ? option + " " + file + ": " + why.getMessage()
                        : "there is no file " + file + " for " + option,
                why);
    }

    /**
     * Opens the gateway before the service starts, so that its health can be asked meanwhile and a port in use is found
     * at once; and says where it is.
     *
     * @param counters of this process, for the dashboard; null if there are none
     * @return null if there is to be none
     */
    public @Nullable HttpGateway listen(Api api, @Nullable Counters counters, PrintWriter out) throws IOException {
        HttpConfig checked = config;
        if (checked == null) {
            return null;
        }
        HttpGateway gateway = HttpGateway.listen(checked, api, counters == null ? null : counters.file());
        out.printf(
                Locale.ROOT,
                "Dashboard on %s://%s:%d/ with /metrics, /health and /ready.%n",
                checked.tls() == null ? "http" : "https",
                checked.address().getAddress().isLoopbackAddress()
                                || checked.address().getAddress().isAnyLocalAddress()
                        ? "localhost"
                        : checked.address().getHostString(),
                gateway.port());
        out.flush();
        return gateway;
    }

    /** Returns the same configuration, whose service tells the gateway how far its replay is. */
    public static ServiceConfig reporting(ServiceConfig config, @Nullable HttpGateway gateway) {
        return gateway == null ? config : config.withEvents(ReplayEvents.of(config.events(), gateway::replaying));
    }

    /**
     * Connects the gateway to the service.
     *
     * @param gateway what {@link #listen} has returned
     * @param host    that the service listens on
     */
    public void connect(@Nullable HttpGateway gateway, Service service, String host, MemoryOptions memory)
            throws IOException {
        connect(gateway, new InetSocketAddress(host, service.port()), memory.door());
    }

    /** Lets the gateway ask once a second how the service is: each question of a cluster's member is in its log. */
    public void lookSeldom() {
        config = config == null ? null : config.withLookEvery(Duration.ofSeconds(1));
    }

    /**
     * Connects the gateway to what serves.
     *
     * @param gateway what {@link #listen} has returned
     * @param listens where the native protocol is spoken
     * @param door    that the service has in shared memory, if it has one
     */
    public void connect(@Nullable HttpGateway gateway, InetSocketAddress listens, @Nullable Path door)
            throws IOException {
        Upstream checked = upstream;
        if (gateway != null && checked != null) {
            InetSocketAddress reached = new InetSocketAddress(reachable(listens.getHostString()), listens.getPort());
            gateway.connect(new Upstream(reached, checked.token(), checked.tls(), null, door));
        }
    }

    /**
     * Ends the gateway, the service and the counters in that order when the process is asked to stop: the gateway
     * answers what it has taken while the service still does.
     *
     * @param gateway what {@link #listen} has returned
     */
    public static StopSignal stopInOrder(
            Service service, @Nullable HttpGateway gateway, @Nullable Counters counters, PrintWriter out) {
        return StopSignal.install(
                service,
                gateway == null ? () -> {} : gateway::close,
                counters == null ? () -> {} : counters::close,
                out);
    }

    /** Returns an option that was given; null if none was. */
    private @Nullable String given() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("--http-host", httpHost);
        all.put("--http-tokens", tokens);
        all.put("--http-tls-certificate", certificate);
        all.put("--http-tls-key", key);
        all.put("--http-names", names);
        all.put("--http-origins", origins);
        all.put("--http-token", token);
        all.put("--http-trust", trust);
        for (Map.Entry<String, @Nullable Object> each : all.entrySet()) {
            if (each.getValue() != null) {
                return each.getKey();
            }
        }
        return limits.isGiven() ? "a limit of HTTP" : null;
    }

    private HttpConfig config(CommandSpec command, int asked, boolean isOpen) {
        InetSocketAddress address = new InetSocketAddress(httpHost == null ? LOOPBACK : httpHost, asked);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--http-host " + httpHost + " is no address of this machine");
        }
        HttpConfig made = HttpConfig.at(address).withLimits(limits.limits(command));
        made = isOpen ? made.withOpenAccess() : made;
        made = tokens == null ? made : made.withTokens(HttpTokens.read(tokens));
        made = names == null ? made : made.withNames(Set.copyOf(names));
        made = origins == null ? made : made.withOrigins(Set.copyOf(origins));
        made = certificate == null || key == null ? made : made.withTls(readable(Tls.server(certificate, key)));
        made.requireAccessSaid("--http-tokens", "--open");
        return made;
    }

    /** Says what is wrong with its files before anything is opened. */
    private static Tls readable(Tls tls) {
        try {
            tls.engine(null, 0);
        } catch (IOException e) {
            throw new IllegalArgumentException("--http-tls-certificate, --http-tls-key: " + e.getMessage(), e);
        }
        return tls;
    }

    private static String reachable(String host) {
        return host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
    }

    private static String firstLine(Path file) throws IOException {
        return SettingsText.firstLine(file);
    }
}
