package io.slipstream.service.gateway;

import io.slipstream.service.security.Audit;
import io.slipstream.service.security.Authenticator;
import io.slipstream.service.security.Tls;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway finds out who its clients are.
 *
 * @param authenticator decides who gets in; null lets everybody in, as one without a name
 * @param tls           encrypts all connections; null leaves them plain
 * @param audit         hears who has logged in, and who was refused
 */
public record GatewaySecurity(
        @Nullable Authenticator authenticator, @Nullable Tls tls, Audit audit) {}
