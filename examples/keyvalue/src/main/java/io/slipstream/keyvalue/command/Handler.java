package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;

/** Does one command. A {@link io.slipstream.keyvalue.resp.RedisError} is its answer instead. */
@FunctionalInterface
interface Handler {
    void run(Words words, Reply reply);
}
