package io.slipstream.http.config;

import java.util.regex.Pattern;

/**
 * Who sends a token. Idempotency keys belong to the name, so a new token of the same name still finds what the old one
 * has sent. Several tokens may have one name: those of a client whose secret is being replaced.
 *
 * @param name 1 to 64 letters, digits, dots, dashes and underscores; the same after each change of the secret
 * @param role what its bearer may do
 */
public record Bearer(String name, Role role) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** Checks the name. */
    public Bearer {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a bearer is 1 to 64 letters, digits, '.', '-' or '_', not '" + name + "'");
        }
    }

    /** Returns a bearer that may send commands. */
    public static Bearer writer(String name) {
        return new Bearer(name, Role.WRITE);
    }

    /** Returns a bearer that may only read. */
    public static Bearer reader(String name) {
        return new Bearer(name, Role.READ);
    }
}
