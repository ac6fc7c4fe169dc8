package io.slipstream.service.gateway;

import io.slipstream.service.security.ClientLimits;
import java.util.HashMap;
import java.util.Map;

/**
 * The rate limiters of all principals. One that has no connection, and has sent nothing for so long that it may send a
 * full burst, is forgotten. All gateways of a service have the same: one that logs a client in waits for another one
 * that does so.
 */
final class Allowances {
    private static final int LEAST_SWEPT = 64;

    private final Map<String, Allowance> byPrincipal = new HashMap<>();
    private int sweptAt = LEAST_SWEPT;

    /**
     * Returns what a principal may send that has logged in, for one more connection; {@link Allowance#leave} ends that.
     *
     * @param limits apply to all its connections from now on
     */
    synchronized Allowance enter(String principal, ClientLimits limits, long nowNanos) {
        Allowance allowance = byPrincipal.get(principal);
        if (allowance == null) {
            sweep(nowNanos);
            allowance = new Allowance(limits, nowNanos);
            byPrincipal.put(principal, allowance);
        } else {
            allowance.limits(limits, nowNanos);
        }
        allowance.enter();
        return allowance;
    }

    /** Returns how many are remembered. */
    synchronized int size() {
        return byPrincipal.size();
    }

    /** Each time that their number has doubled: so a login costs the same however many there are. */
    private void sweep(long nowNanos) {
        if (byPrincipal.size() >= sweptAt) {
            byPrincipal.values().removeIf(each -> each.isForgettable(nowNanos));
            sweptAt = Math.max(LEAST_SWEPT, 2 * byPrincipal.size());
        }
    }
}
