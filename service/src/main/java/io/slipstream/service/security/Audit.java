package io.slipstream.service.security;

/**
 * Hears who logs in and who is refused; on the gateway's thread, which waits until it returns. No method gets a secret.
 */
public interface Audit {
    /** Somebody has logged in. */
    default void onLogin(String principal, String remote) {}

    /** Somebody was not let in. An enemy can cause any number of these: bound what you do with them. */
    default void onLoginRefused(String remote, String reason) {}

    /** A principal has asked for something that it has no right to; bounded as little. */
    default void onForbidden(String principal, String remote, String request) {}
}
