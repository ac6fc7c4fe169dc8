package io.slipstream.service.security;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Who a client is.
 *
 * @param principal its name, which the state machine sees, and the log has; up to {@value #MAX_PRINCIPAL_BYTES} bytes
 * @param rights    what it may do
 * @param limits    how much of it
 * @param until     when the connection ends at the latest; {@link Instant#MAX} for never
 */
public record Identity(String principal, Rights rights, ClientLimits limits, Instant until) {
    /** The longest principal in bytes of UTF-8. */
    public static final int MAX_PRINCIPAL_BYTES = 256;

    /** One who was not asked, and may do everything. */
    public static final Identity ANYBODY = new Identity("", Rights.ALL, ClientLimits.NONE, Instant.MAX);

    /** Checks the name. */
    public Identity {
        if (principal.getBytes(StandardCharsets.UTF_8).length > MAX_PRINCIPAL_BYTES) {
            throw new IllegalArgumentException("a principal has up to " + MAX_PRINCIPAL_BYTES + " bytes: " + principal);
        }
    }
}
