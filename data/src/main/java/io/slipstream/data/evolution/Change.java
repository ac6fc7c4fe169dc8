package io.slipstream.data.evolution;

/**
 * A difference between two versions of a schema.
 *
 * @param where type, or type and field
 * @param what has changed, and what to do if it is not allowed
 * @param isAllowed whether bytes of the old version stay readable
 */
public record Change(String where, String what, boolean isAllowed) {
    @Override
    public String toString() {
        return (isAllowed ? "ok        " : "BREAKING  ") + where + ": " + what;
    }
}
