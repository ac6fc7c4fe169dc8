package io.slipstream.exchange;

import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Opened;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** A program in a container: an exchange and a client of it, which end without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            Service service = opened.add(Service.start(
                    ServiceConfig.in(Path.of(arguments[0]))
                            .withAddress(new InetSocketAddress("127.0.0.1", 0))
                            .withMaxResponseTime(Duration.ofMinutes(1)),
                    new ExchangeStateMachine(3, 1_000)));
            ExchangeClient client = opened.add(ExchangeClient.connect("127.0.0.1", service.port()));
            client.place(1, 7, Side.SELL, OrderType.LIMIT, 10_050, 5);
            client.offerPlace(1, 8, Side.BUY, OrderType.LIMIT, 10_050, 5, 1);
            client.depth(1, 10);
            client.cancel(1, 7);
        }
    }
}
