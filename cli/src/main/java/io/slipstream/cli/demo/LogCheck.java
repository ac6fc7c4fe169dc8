package io.slipstream.cli.demo;

import io.slipstream.cli.exchange.Trader;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * Looks in the journal for every order that was acknowledged: it must be there, at the place that the acknowledgement
 * named, and may be there again only as a resend of the same command, which the service does not apply twice.
 */
final class LogCheck {
    private final Flyweight<PlaceCommand> placements = PlaceCommand.CODEC.flyweight();
    private final List<Trader> traders;
    private final long[][] firstSequence;
    private final long[][] correlation;
    private long acknowledged;
    private long missing;
    private long repeated;
    private long resent;

    private LogCheck(List<Trader> traders) {
        this.traders = traders;
        this.firstSequence = new long[traders.size()][];
        this.correlation = new long[traders.size()][];
        for (int i = 0; i < traders.size(); i++) {
            int placed = traders.get(i).acknowledgements().length;
            firstSequence[i] = new long[placed];
            correlation[i] = new long[placed];
        }
    }

    /** Reads the journal in {@code directory}, which nobody may have open. */
    static LogCheck of(Path directory, JournalConfig config, List<Trader> traders) throws IOException {
        LogCheck check = new LogCheck(traders);
        try (Journal journal = Journal.open(directory, config)) {
            journal.read(journal.firstSequence(), (memory, offset, length) -> check.onRecord(memory, offset, length));
        }
        check.compare();
        return check;
    }

    /** Returns how many orders were acknowledged. */
    long acknowledged() {
        return acknowledged;
    }

    /** Returns how many of them are not in the log where the acknowledgement said. */
    long missing() {
        return missing;
    }

    /** Returns how many orders are in the log as two different commands. */
    long repeated() {
        return repeated;
    }

    /** Returns how many entries are resends of commands that were in the log before. */
    long resent() {
        return resent;
    }

    private void onRecord(MemorySegment memory, long offset, int length) {
        long payload = offset + Message.HEADER_BYTES;
        if (Message.type(memory, offset) != MessageType.COMMAND
                || WireType.of(memory, payload, length - Message.HEADER_BYTES) != WireType.PLACE) {
            return;
        }
        long orderId =
                placements.wrap(memory, payload, length - Message.HEADER_BYTES).orderId();
        for (int i = 0; i < traders.size(); i++) {
            long index = orderId - traders.get(i).firstOrderId();
            if (index >= 0 && index < firstSequence[i].length) {
                found(i, (int) index, Message.sequence(memory, offset), Message.correlation(memory, offset));
            }
        }
    }

    private void found(int trader, int index, long sequence, long itsCorrelation) {
        if (firstSequence[trader][index] == 0) {
            firstSequence[trader][index] = sequence;
            correlation[trader][index] = itsCorrelation;
        } else if (correlation[trader][index] == itsCorrelation) {
            resent++;
        } else {
            repeated++;
        }
    }

    private void compare() {
        for (int i = 0; i < traders.size(); i++) {
            long[] acknowledgedAt = traders.get(i).acknowledgements();
            for (int order = 0; order < acknowledgedAt.length; order++) {
                if (acknowledgedAt[order] != 0) {
                    acknowledged++;
                    if (firstSequence[i][order] != acknowledgedAt[order]) {
                        missing++;
                    }
                }
            }
        }
    }
}
