package io.slipstream.http.call;

/** A request that may not have been sent yet. */
interface Withdrawable {
    /** Gives it up; returns whether it was not sent, and never will be. */
    boolean withdraw();
}
