package io.slipstream.cluster;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Marks numbers, and counts those that were marked twice; its hash depends on their order. */
final class Marks implements StateMachine {
    static final int WORDS_AT_ONCE = 512;

    private long[] words = new long[WORDS_AT_ONCE];
    private long twice;
    private long hash;

    @Override
    public void onCommand(Request command, Output output) {
        long number = Sum.number(command.payload());
        int word = (int) (number >>> 6);
        if (word >= words.length) {
            words = Arrays.copyOf(words, 2 * word);
        }
        twice += words[word] >>> number & 1;
        words[word] |= 1L << number;
        hash = hash * 31 + number;
        output.reply(Sum.bytes(number));
    }

    /** Answers with how many were marked twice, and with some words of marks, from the given one on. */
    @Override
    public void onQuery(Request query, Output output) {
        int from = (int) Sum.number(query.payload());
        ByteBuffer answer =
                ByteBuffer.allocate((1 + WORDS_AT_ONCE) * Long.BYTES).putLong(twice);
        for (int word = from; word < Math.min(words.length, from + WORDS_AT_ONCE); word++) {
            answer.putLong(words[word]);
        }
        output.reply(answer.array());
    }

    @Override
    public long stateHash() {
        return hash;
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(twice);
        output.writeLong(hash);
        output.writeLong(words.length);
        for (long word : words) {
            output.writeLong(word);
        }
    }

    @Override
    public void load(StateInput input, int version) {
        twice = input.readLong();
        hash = input.readLong();
        words = new long[(int) input.readLong()];
        for (int word = 0; word < words.length; word++) {
            words[word] = input.readLong();
        }
    }
}
