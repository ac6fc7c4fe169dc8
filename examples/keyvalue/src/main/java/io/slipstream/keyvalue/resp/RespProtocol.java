package io.slipstream.keyvalue.resp;

import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Protocol;

/** RESP, the language of Redis clients. */
public final class RespProtocol implements Protocol {
    /** First byte of an event that nobody asked for. */
    public static final byte PUSH = 0;

    /** First byte of an event that a waiting client gets as its answer. */
    public static final byte ANSWER = 1;

    private final Clients clients = new Clients();

    /** Creates the protocol. */
    public RespProtocol() {}

    /** Returns the commands that took long; a store that is created with it records those of the clients. */
    public SlowLog slowLog() {
        return clients.slowLog();
    }

    @Override
    public String name() {
        return "resp";
    }

    @Override
    public Conversation begin() {
        return new RespConversation(clients);
    }
}
