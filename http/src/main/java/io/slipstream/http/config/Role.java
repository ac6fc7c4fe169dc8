package io.slipstream.http.config;

/** What the bearer of a token may do. */
public enum Role {
    /** Queries, feeds, metrics and the dashboard. */
    READ,
    /** Commands as well. */
    WRITE
}
