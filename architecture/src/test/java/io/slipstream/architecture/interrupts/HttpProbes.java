package io.slipstream.architecture.interrupts;

import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiPage;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Upstream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;

/** What a call of {@code http} needs. */
final class HttpProbes {
    private HttpProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(Api.class, values -> Api.of(Bank.CONTRACT));
        probes.made(ApiPage.class, values -> new ApiPage("page", Map.of("index.html", new byte[0])));
        probes.made(HttpConfig.class, values -> HttpConfig.onPort(0));
        probes.made(
                Upstream.class,
                values -> Upstream.at(new InetSocketAddress("localhost", ServiceProbes.port(probes, values))));
        probes.made(
                HttpGateway.class,
                values -> HttpGateway.start(HttpConfig.onPort(0), Api.of(Bank.CONTRACT), values.of(Upstream.class)));
        probes.works(
                HttpGateway.class, gateway -> new Socket(InetAddress.getLoopbackAddress(), gateway.port()).close());
        probes.costly(HttpGateway.class);
        probes.given(
                HttpGateway.class,
                "connect",
                HttpGateway.class,
                values -> HttpGateway.listen(HttpConfig.onPort(0), Api.of(Bank.CONTRACT), null));
        probes.given(
                HttpGateway.class,
                "start",
                InetSocketAddress.class,
                values -> new InetSocketAddress("localhost", ServiceProbes.port(probes, values)));
    }
}
