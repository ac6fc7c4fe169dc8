package io.slipstream.service.gateway;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.Host;
import io.slipstream.service.security.Authenticator;
import io.slipstream.service.security.ClientLimits;
import io.slipstream.service.security.Credentials;
import io.slipstream.service.security.DeniedException;
import io.slipstream.service.security.Identity;
import io.slipstream.service.security.Rights;
import java.lang.foreign.MemorySegment;

/** Lets clients in, and tells what they may do, and how much of it. */
final class Admission {
    private final Host host;
    private final GatewaySecurity security;
    private final Allowances allowances;
    private final Sequence logins = new Sequence();
    private final Sequence denied = new Sequence();

    /**
     * Creates it.
     *
     * @param allowances those of all gateways of the service
     */
    Admission(Host host, GatewaySecurity security, Allowances allowances) {
        this.host = host;
        this.security = security;
        this.allowances = allowances;
    }

    /** Returns how many have logged in. */
    Sequence logins() {
        return logins;
    }

    /** Returns how many logins and requests were refused for want of credentials or rights. */
    Sequence denied() {
        return denied;
    }

    /** Returns whether clients are asked who they are. */
    boolean asks() {
        return security.authenticator() != null;
    }

    /** Finds out whose connection this is; returns whether somebody's. */
    boolean login(Connection connection, byte[] token) {
        Authenticator authenticator = security.authenticator();
        if (authenticator == null) {
            connection.identity = Identity.ANYBODY;
            return true;
        }
        try {
            Identity identity =
                    authenticator.authenticate(new Credentials(token, connection.certificates(), connection.remote()));
            connection.identity = identity;
            connection.allowance(
                    identity.limits().equals(ClientLimits.NONE)
                            ? null
                            : allowances.enter(identity.principal(), identity.limits(), host.nanoTime()));
            logins.setRelease(logins.getPlain() + 1);
            security.audit().onLogin(identity.principal(), connection.remote());
            return true;
        } catch (DeniedException | RuntimeException e) {
            refused(connection, e instanceof DeniedException ? String.valueOf(e.getMessage()) : e.toString());
            return false;
        }
    }

    /** Notes that a connection has ended without a login, such as by TLS. */
    void refused(Connection connection, String reason) {
        denied.setRelease(denied.getPlain() + 1);
        security.audit().onLoginRefused(connection.remote(), reason);
    }

    /** Returns whether the principal may ask for that; if not, that is noted. */
    boolean permits(Connection connection, short type, MemorySegment memory, long offset, int length) {
        Identity identity = connection.identity;
        if (identity == null
                || identity.rights() == Rights.ALL
                || identity.rights().permits(type, memory, offset, length)) {
            return true;
        }
        denied.setRelease(denied.getPlain() + 1);
        security.audit()
                .onForbidden(
                        identity.principal(),
                        connection.remote(),
                        "a message of type " + type + " with " + length + " bytes");
        return false;
    }

    /** Returns whether a request of so many bytes is within the limits of the client, and counts it then. */
    boolean takes(Connection connection, int length) {
        Allowance allowance = connection.allowance;
        Identity identity = connection.identity;
        return allowance == null
                || identity == null
                || connection.pending < identity.limits().inFlight() && allowance.take(host.nanoTime(), length);
    }

    /** Returns whether the time that the credentials were good for is over. */
    boolean hasExpired(Connection connection) {
        Identity identity = connection.identity;
        return identity != null && identity.until().getEpochSecond() <= host.epochNanos() / 1_000_000_000;
    }
}
