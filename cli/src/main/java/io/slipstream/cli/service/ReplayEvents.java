package io.slipstream.cli.service;

import io.slipstream.service.ServiceEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** The events of a service, of which the progress of the replay is told to another one, too. */
final class ReplayEvents {
    /** Is told how far a replay is. */
    interface Progress {
        void at(long done, long all);
    }

    private ReplayEvents() {}

    /** Returns events that pass everything on, whatever there is. */
    static ServiceEvents of(ServiceEvents events, Progress progress) {
        return (ServiceEvents) Proxy.newProxyInstance(
                ServiceEvents.class.getClassLoader(), new Class<?>[] {ServiceEvents.class}, (_, method, arguments) -> {
                    if (method.getName().equals("onReplay")) {
                        progress.at((long) arguments[0], (long) arguments[1]);
                    }
                    try {
                        return method.invoke(events, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
