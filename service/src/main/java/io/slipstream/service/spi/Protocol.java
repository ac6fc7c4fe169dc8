package io.slipstream.service.spi;

/**
 * A language that clients speak with a service. An implementation is one small class that knows bytes and nothing of
 * sockets, threads or sessions. Where a service has several gateway threads, what conversations share is used by each
 * of them.
 */
public interface Protocol {
    /** Returns a short name for messages and logs, such as {@code "native"}. */
    String name();

    /** Begins a conversation with one client. One that has no state may return the same object each time. */
    Conversation begin();
}
