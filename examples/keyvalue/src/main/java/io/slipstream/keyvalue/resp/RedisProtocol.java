package io.slipstream.keyvalue.resp;

import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Protocol;

/** RESP2 and RESP3: what Redis clients speak. */
public final class RedisProtocol implements Protocol {
    /** Creates the protocol. */
    public RedisProtocol() {
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Conversation begin() {
        return new RedisConversation();
    }
}
