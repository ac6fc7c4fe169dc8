package io.slipstream.service.security;

/**
 * Finds out who a client is. Called by a gateway's thread for each login, so it must not wait for anything: ask a
 * remote directory on another thread, and keep what it said. Where a service has several gateway threads they may call
 * at the same time. {@link AccessFile} is the one that comes with Slipstream.
 */
@FunctionalInterface
public interface Authenticator {
    /**
     * Returns who shows these credentials.
     *
     * @throws DeniedException if they are not good for anything; the client hears no more than that
     */
    Identity authenticate(Credentials credentials) throws DeniedException;
}
