package io.slipstream.service.security;

import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Rights by type of message, and of commands by the id of their record. STATUS and BYE are everybody's. */
final class ListedRights implements Rights {
    private static final ValueLayout.OfShort ID = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final Set<String> KINDS = Set.of("command", "query", "subscribe");

    private final boolean commands;
    private final boolean queries;
    private final boolean subscriptions;
    private final BitSet ids;

    private ListedRights(Set<String> kinds, BitSet ids) {
        this.commands = kinds.contains("command");
        this.queries = kinds.contains("query");
        this.subscriptions = kinds.contains("subscribe");
        this.ids = ids;
    }

    /** Takes the words that are rights. */
    static ListedRights parse(Deque<String> words) {
        Set<String> kinds = new HashSet<>();
        BitSet ids = new BitSet();
        while (words.peek() instanceof String word) {
            if (word.matches("command:\\d{1,5}")) {
                ids.set(Integer.parseInt(word.substring("command:".length())));
            } else if (KINDS.contains(word)) {
                kinds.add(word);
            } else {
                break;
            }
            words.remove();
        }
        if (kinds.isEmpty() && ids.isEmpty()) {
            throw new IllegalArgumentException("behind 'may' comes command, command:ID, query or subscribe");
        }
        return new ListedRights(kinds, ids);
    }

    @Override
    public boolean permits(short type, MemorySegment memory, long offset, int length) {
        return switch (type) {
            case MessageType.COMMAND ->
                commands || length >= Short.BYTES && ids.get(Short.toUnsignedInt(memory.get(ID, offset)));
            case MessageType.QUERY -> queries;
            case MessageType.SUBSCRIBE -> subscriptions;
            default -> true;
        };
    }
}
