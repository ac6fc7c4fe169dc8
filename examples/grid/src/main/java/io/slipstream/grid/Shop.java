package io.slipstream.grid;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/** Sells apples that are counted in a map. */
class Shop {
    record Stock(int count) {}

    record Sell(String key, int count) implements Processor<Stock, Stock> {
        @Override
        public Stock process(Entry<Stock> entry) {
            Stock stock = entry.value();
            if (stock == null || stock.count() < count) {
                throw new IllegalStateException("there are not " + count);
            }
            Stock left = new Stock(stock.count() - count);
            entry.set(left);
            return left;
        }
    }

    static final GridType<Stock> STOCK = GridType.of("stock", Stock.class, MethodHandles.lookup(), Sell.class);

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length == 0 ? "stock-data" : arguments[0]);
        try (Service service = Service.start(ServiceConfig.in(folder), STOCK::machine);
                GridMap<Stock> map = STOCK.connect(ServiceClient.builder("127.0.0.1", service.port()))) {
            if (map.get("apple") == null) {
                map.put("apple", new Stock(10));
            }
            Stock left = map.invoke(new Sell("apple", 3));
            System.out.println("apples left: " + left.count());
        }
    }
}
