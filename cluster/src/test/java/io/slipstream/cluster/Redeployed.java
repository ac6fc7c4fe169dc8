package io.slipstream.cluster;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Opened;

/** A program in a container: a cluster and a client of it, which end without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            Grid grid = opened.add(Grid.of(1, Sum::new));
            ServiceClient client = opened.add(grid.client().connect());
            for (int i = 0; i < 100; i++) {
                client.call(Sum.bytes(1));
            }
        }
    }
}
