package io.slipstream.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs refused logins and requests, one line in ten seconds for each address or principal: whoever is refused tries
 * again, and must not flood the log. What is left out is counted, and told with the next line after that time. Of more
 * than a hundred addresses and principals at a time the rest is counted together. Any thread.
 */
final class DenialLog {
    static final int MOST = 100;
    static final long QUIET_NANOS = 10_000_000_000L;

    private static final String OTHERS = "others";

    private final Logger logger;
    private final LongSupplier nanoTime;

    /** By address or principal, the ones told of first at the begin. */
    private final Map<String, Told> told = new LinkedHashMap<>();

    private static final class Told {
        private final long nanos;
        private long unsaid;

        Told(long nanos) {
            this.nanos = nanos;
        }
    }

    DenialLog(Logger logger, LongSupplier nanoTime) {
        this.logger = logger;
        this.nanoTime = nanoTime;
    }

    void loginRefused(String remote, String reason) {
        int port = remote.lastIndexOf(':');
        denied(
                "from " + (port < 0 ? remote : remote.substring(0, port)),
                "login from " + remote + " refused: " + reason);
    }

    void forbidden(String principal, String remote, String request) {
        denied("of " + principal, principal + " at " + remote + " may not send " + request);
    }

    private synchronized void denied(String who, String text) {
        long now = nanoTime.getAsLong();
        tellOfPast(now);
        Told known = told.get(who);
        if (known != null) {
            known.unsaid++;
        } else if (told.size() >= MOST) {
            told.computeIfAbsent(OTHERS, _ -> new Told(now)).unsaid++;
        } else {
            told.put(who, new Told(now));
            logger.log(Level.WARNING, text);
        }
    }

    private void tellOfPast(long now) {
        Iterator<Map.Entry<String, Told>> all = told.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, Told> next = all.next();
            Told each = next.getValue();
            if (now - each.nanos < QUIET_NANOS) {
                return;
            }
            all.remove();
            if (each.unsaid > 0) {
                logger.log(
                        Level.WARNING,
                        "{0} more logins or requests {1} were refused since",
                        Long.toString(each.unsaid),
                        next.getKey().equals(OTHERS) ? "from others" : next.getKey());
            }
        }
    }
}
