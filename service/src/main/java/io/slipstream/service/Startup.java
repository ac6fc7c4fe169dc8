package io.slipstream.service;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.service.gateway.ConnectionBudget;
import io.slipstream.service.gateway.Gateways;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a service finds out before it opens its journal: what cannot be served must leave no files behind. */
final class Startup {
    private Startup() {}

    /** See {@link Service#requireServable}. */
    static void requireServable(ServiceConfig config) throws IOException {
        requireFree(config);
        try {
            FrameRing in = inputRing(config);
            try {
                FrameRing.forOnePublisher(config.limits().outputRingBytes(), WaitStrategy.parking())
                        .close();
            } finally {
                in.close();
            }
        } catch (OutOfMemoryError e) {
            throw new IOException(
                    "there is no memory for rings of " + config.limits().inputRingBytes() + " and "
                            + config.limits().outputRingBytes() + " bytes: " + e.getMessage(),
                    e);
        }
    }

    static void prepare(ServiceConfig config, @Nullable Supplier<? extends StateMachine> machines) throws IOException {
        if (config.snapshots().checked() && machines == null) {
            throw new IllegalArgumentException("a check of snapshots needs a second machine: start the service with"
                    + " what makes machines, not with the one");
        }
        WarmUp warmUp = config.warmUp();
        if (warmUp != null && machines == null) {
            throw new IllegalArgumentException("a warm-up needs a second machine: start the service with what makes"
                    + " machines, not with the one");
        }
        if (warmUp != null && machines != null) {
            warmUp.run(config, machines);
        }
    }

    static void requireFree(ServiceConfig config) throws IOException {
        config.requireThreads();
        ConnectionBudget.require(config.limits().maxConnections());
        config.requireAccessSaid();
        Tls tls = config.tls();
        if (tls != null) {
            tls.engine(null, 0);
        }
        for (InetSocketAddress address : config.addresses().values()) {
            if (address.isUnresolved()) {
                throw new UnknownHostException("there is no host " + address.getHostString());
            }
            Gateways.requireFree(config.host(), address);
        }
    }

    /** Several gateways are several publishers. */
    static FrameRing inputRing(ServiceConfig config) {
        int bytes = config.limits().inputRingBytes();
        return config.gatewayThreads() == 1
                ? FrameRing.forOnePublisher(bytes, WaitStrategy.parking())
                : FrameRing.forManyPublishers(bytes, WaitStrategy.parking());
    }
}
