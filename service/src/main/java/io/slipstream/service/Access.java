package io.slipstream.service;

import io.slipstream.service.security.Authenticator;
import io.slipstream.service.security.Tls;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Who gets in.
 *
 * @param authenticator knows the clients; null if nobody asks them
 * @param tls           encrypts connections; null if nothing does
 * @param isOpen        whether it was said that everybody may come
 */
record Access(
        @Nullable Authenticator authenticator, @Nullable Tls tls, boolean isOpen) {
    static final Access UNSAID = new Access(null, null, false);

    Access withAuthenticator(Authenticator newAuthenticator) {
        return new Access(newAuthenticator, tls, isOpen);
    }

    Access withTls(Tls newTls) {
        return new Access(authenticator, newTls, isOpen);
    }

    Access opened() {
        return new Access(authenticator, tls, true);
    }

    /**
     * Checks that nobody opens a service to the network by accident.
     *
     * @param authentication what says who gets in
     * @param encryption     what encrypts connections
     * @param opening        what lets everybody in
     */
    void requireSaid(
            Collection<InetSocketAddress> addresses, String authentication, String encryption, String opening) {
        for (InetSocketAddress each : addresses) {
            boolean alone = each.isUnresolved() || each.getAddress().isLoopbackAddress();
            if (!alone && !isOpen && authenticator == null) {
                throw new IllegalArgumentException("whoever reaches " + each.getHostString() + ":" + each.getPort()
                        + " could send commands: this service does not authenticate clients. Say who gets in with "
                        + authentication + ", listen on 127.0.0.1, or say " + opening + " if that is meant");
            }
            if (!alone && !isOpen && tls == null) {
                throw new IllegalArgumentException("whoever is between " + each.getHostString() + ":" + each.getPort()
                        + " and a client could read its token: use " + encryption
                        + ", listen on 127.0.0.1, or say " + opening + " if that is meant");
            }
        }
    }
}
