package io.slipstream.sim.service;

import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceException;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Item;
import io.slipstream.sim.workload.Workload;
import io.slipstream.sim.world.Hash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a client has received of a topic since its last snapshot. */
final class UserFeed implements FeedHandler {
    private final long topic;
    private final Findings findings;
    private final Consumer<Consumer<Workload>> tell;
    private final List<Received> received = new ArrayList<>();
    private boolean isLive;
    private boolean hasEnded;
    private boolean isLeaving;
    private long skipped;

    private record Received(long sequence, Item item) {}

    UserFeed(long topic, Findings findings, Consumer<Consumer<Workload>> tell) {
        this.topic = topic;
        this.findings = findings;
        this.tell = tell;
    }

    /** Its client is about to end its session: what has come until now is all that it is to be compared with. */
    void leaves() {
        isLeaving = true;
    }

    /** Nobody looks at it any more. */
    void abandon() {
        hasEnded = true;
    }

    /**
     * An operator has that entry of the log skipped. What it, or a timer due with it, has sent before it hung is in no
     * log, and was sent nevertheless if the gateway had a thread of its own.
     */
    void skipped(long entry) {
        skipped = entry;
        received.removeIf(each -> each.sequence == entry);
    }

    @Override
    public void onSnapshot() {
        if (isLeaving) {
            return;
        }
        received.clear();
        isLive = false;
        tell.accept(heard -> heard.onSnapshot(topic));
    }

    @Override
    public void onSnapshotItem(MemorySegment memory, long offset, int length) {
        tells(memory, offset, length);
    }

    @Override
    public void onLive() {
        isLive = true;
    }

    @Override
    public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
        if (sequence != skipped && !isLeaving) {
            received.add(new Received(sequence, new Item(topic, Hash.of(memory, offset, length))));
        }
        tells(memory, offset, length);
    }

    private void tells(MemorySegment memory, long offset, int length) {
        byte[] item = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        tell.accept(heard -> heard.onItem(topic, item));
    }

    @Override
    public void onEnd(ServiceException why) {
        hasEnded |= !isLeaving;
    }

    /** Requires that what it has received is what was published last, each item once and in order. */
    void compare(List<Item> published) {
        if (hasEnded) {
            return;
        }
        findings.require(isLive, "a feed of topic " + topic + " is not live at the end");
        List<Item> all =
                published.stream().filter(item -> item.topic() == topic).toList();
        int unseen = all.size() - received.size();
        findings.require(
                unseen >= 0,
                "a feed of topic " + topic + " got " + received.size() + " items since its last snapshot, and only "
                        + all.size() + " were published");
        for (int i = 0; unseen >= 0 && i < received.size(); i++) {
            if (!all.get(unseen + i).equals(received.get(i).item)) {
                findings.add("a feed of topic " + topic + " has missed an item, or got one twice: item " + (i + 1)
                        + " of " + received.size() + " since its last snapshot is another one than the "
                        + (unseen + i + 1) + ". of " + all.size() + " that were published");
                return;
            }
        }
    }
}
