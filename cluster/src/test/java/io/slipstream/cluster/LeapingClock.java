package io.slipstream.cluster;

import io.slipstream.service.host.Host;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A machine whose clock somebody sets while it runs. */
final class LeapingClock {
    private final AtomicLong aheadNanos = new AtomicLong();
    private final Host host = (Host) Proxy.newProxyInstance(
            Host.class.getClassLoader(), new Class<?>[] {Host.class}, (proxy, method, arguments) -> {
                try {
                    Object result = method.invoke(Host.system(), arguments);
                    return method.getName().equals("epochNanos") ? (Long) result + aheadNanos.get() : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    Host host() {
        return host;
    }

    void ahead(Duration ahead) {
        aheadNanos.set(ahead.toNanos());
    }
}
