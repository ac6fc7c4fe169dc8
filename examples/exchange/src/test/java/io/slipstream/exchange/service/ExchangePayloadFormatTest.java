package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ExchangePayloadFormatTest {
    private static final long TIME = 1_700_000_000_000_000_000L;
    private static final int AT = Message.HEADER_BYTES;

    private final CommandWriter writer = new CommandWriter();
    private final PayloadFormat format = new ExchangePayloadFormat();
    private final MemorySegment memory = MemorySegment.ofArray(new long[64]);

    @Test
    void showsCommands() {
        assertThat(text(writer.place(3, 17, Side.SELL, OrderType.POST_ONLY, 10_025, 50)))
                .isEqualTo("2023-11-14T22:13:20Z session 4097 correlation 9: PlaceCommand[instrument=3, orderId=17, "
                        + "side=SELL, type=POST_ONLY, price=10025, quantity=50]");
        assertThat(text(writer.replace(3, 17, 10_030, 40)))
                .endsWith(": ReplaceCommand[instrument=3, orderId=17, price=10030, quantity=40]");
        assertThat(text(writer.cancel(3, 17))).endsWith(": CancelCommand[instrument=3, orderId=17]");
    }

    @Test
    void showsWhatTheServiceLogsButNotTheKeyThatResumesASession() {
        Hello.encode(memory, 0, 1234567, 0, 0);
        assertThat(text(MessageType.HELLO, Hello.BYTES))
                .endsWith(": opens or resumes a session")
                .doesNotContain("1234567");
        assertThat(text(MessageType.BYE, 0)).endsWith(": ends its session");
        Start start = new Start("exchange", 3, 512, 1, 0, Start.ALL_RULES);
        start.encodePayload(memory, 0);
        assertThat(text(MessageType.START, start.bytes()))
                .endsWith(": start of 'exchange' version 3, at most 512 sessions");
    }

    @Test
    void leavesToOthersWhatItDoesNotKnow() {
        assertThat(format.knows(MessageType.COMMAND, Message.VERSION)).isTrue();
        assertThat(format.knows(MessageType.COMMAND, (byte) (Message.VERSION + 1)))
                .isFalse();
        assertThat(format.knows((short) 99, Message.VERSION)).isFalse();
        int length = writer.place(3, 17, Side.SELL, OrderType.LIMIT, 10_025, 50).length();
        MemorySegment.copy(writer.memory(), 0, memory, AT, length);
        assertThat(text(MessageType.COMMAND, length - 1)).isNull();
        assertThat(text(MessageType.HELLO, Hello.BYTES - 8)).isNull();
        assertThat(format.toText(memory, 0, AT - 1)).isNull();
    }

    @Test
    void makesSomethingOfAnyBytes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            int length = 24 + random.nextInt(96);
            MemorySegment bytes =
                    MemorySegment.ofArray(new long[(length + 7) / 8]).asSlice(0, length);
            for (int at = 0; at < length; at++) {
                bytes.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(random.nextBoolean() ? 256 : 4));
            }
            bytes.set(ValueLayout.JAVA_BYTE, Message.TYPE_OFFSET, (byte) (1 + random.nextInt(9)));
            bytes.set(ValueLayout.JAVA_BYTE, Message.TYPE_OFFSET + 1, (byte) 0);
            String text = format.toText(bytes, 0, length);
            assertThat(text == null || !text.isEmpty()).isTrue();
        }
    }

    private @Nullable String text(CommandWriter written) {
        MemorySegment.copy(written.memory(), 0, memory, AT, written.length());
        return text(MessageType.COMMAND, written.length());
    }

    private @Nullable String text(short type, int payloadBytes) {
        if (type != MessageType.HELLO) {
            Message.header(memory, 0, type, payloadBytes, 4097, 9);
        }
        Message.timeNanos(memory, 0, TIME);
        return format.toText(memory, 0, AT + payloadBytes);
    }
}
