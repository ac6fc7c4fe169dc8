package io.slipstream.keyvalue.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.session.Holdings;
import io.slipstream.service.machine.Output;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockedTest {
    private final List<Long> answered = new ArrayList<>();
    private final Map<RedisCommand, Handler> handlers = new EnumMap<>(RedisCommand.class);
    private long session;
    private final Database database = new Database();
    private final Blocked blocked = new Blocked(
            database,
            new Sessions() {
                @Override
                public long session() {
                    return session;
                }

                @Override
                public int longest(long to) {
                    return Output.MAX_LENGTH;
                }

                @Override
                public void push(long to, Reply message) {}

                @Override
                public void answer(long to, Reply answer) {
                    answered.add(to);
                }

                @Override
                public void wakeAt(long who, long atMillis) {}

                @Override
                public void cancelWake(long who) {}
            },
            new Holdings(),
            handlers);

    private void run(RedisCommand command, String... words) {
        byte[] payload = Payloads.of(command, List.of(words));
        Words read = new Words();
        read.read(MemorySegment.ofArray(payload), 0, payload.length);
        Handler handler = handlers.get(command);
        assertThat(handler).isNotNull();
        handler.run(read, new Reply());
        blocked.serve(database.close());
    }

    @Test
    void looksAtThoseAloneWhoCanBeServedHoweverManyWait() {
        new Lists(database, handlers);
        database.beginWrite(1);
        blocked.mayWait(true);
        int many = 2_000;
        for (session = 1; session <= many; session++) {
            run(RedisCommand.BLPOP, "queue", "0");
        }
        run(RedisCommand.RPUSH, "other", "x");
        assertThat(blocked.looks()).isZero();
        for (int i = 0; i < many / 2; i++) {
            run(RedisCommand.RPUSH, "queue", "x");
        }
        assertThat(blocked.looks()).isEqualTo(many / 2);
        assertThat(answered).hasSize(many / 2).isSorted().startsWith(1L);
        assertThat(blocked.count()).isEqualTo(many / 2);
        session = many + 1;
        run(RedisCommand.BLPOP, "none", "queue", "0");
        blocked.end(session);
        for (int i = 0; i < many / 2 + 1; i++) {
            run(RedisCommand.RPUSH, "queue", "x");
        }
        assertThat(answered).hasSize(many);
        assertThat(blocked.count()).isZero();
    }
}
