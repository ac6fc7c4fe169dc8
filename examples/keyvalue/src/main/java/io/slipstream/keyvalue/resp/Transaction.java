package io.slipstream.keyvalue.resp;

import java.util.ArrayList;
import java.util.List;

/** The commands between MULTI and EXEC, as payloads. */
final class Transaction {
    private final QueuedBytes queued;
    private final List<byte[]> payloads = new ArrayList<>();
    private boolean isOpen;
    private boolean isBad;
    private long bytes;

    Transaction(QueuedBytes queued) {
        this.queued = queued;
    }

    void begin() {
        end();
        isOpen = true;
    }

    void end() {
        isOpen = false;
        isBad = false;
        clear();
        bytes = Words.HEADER_BYTES;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** One of its commands was wrong: it is never executed, so there is no use in keeping any. */
    void spoil() {
        isBad = true;
        clear();
    }

    private void clear() {
        payloads.forEach(each -> queued.add(-each.length));
        payloads.clear();
    }

    boolean isBad() {
        return isBad;
    }

    /** Returns the length of the payload of EXEC with one more command of that length. */
    long bytesWith(long payloadBytes) {
        return bytes + Words.bytesAsWord(payloadBytes);
    }

    void add(byte[] payload) {
        if (!isBad) {
            bytes = bytesWith(payload.length);
            payloads.add(payload);
            queued.add(payload.length);
        }
    }

    List<byte[]> payloads() {
        return payloads;
    }

    /** Returns how many commands there are; -1 if it is not open. */
    int size() {
        return isOpen ? payloads.size() : -1;
    }
}
