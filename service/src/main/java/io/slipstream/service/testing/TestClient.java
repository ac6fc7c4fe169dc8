package io.slipstream.service.testing;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Operation;
import io.slipstream.service.typed.Outcome;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.RejectedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A session of a {@link TestService}. A call is done when it returns. For the thread of the test. */
public final class TestClient {
    private final TestService<?> service;
    private final String principal;
    private final long key;
    private final List<byte[]> events = new ArrayList<>();
    private final Map<Long, Feed> feeds = new TreeMap<>();
    private long connection;
    private long session;
    private int resumption;
    private long lastCorrelation;
    private long seenSequence;
    private int seenIndex;
    private @Nullable MemorySegment last;
    private @Nullable MemorySegment answer;

    /** A topic that is subscribed to. */
    private static final class Feed {
        private final List<byte[]> items = new ArrayList<>();
        private long sequence;
        private int index;
    }

    TestClient(TestService<?> service, String principal, long key) {
        this.service = service;
        this.principal = principal;
        this.key = key;
    }

    /** Returns the number of the session. */
    public long session() {
        return session;
    }

    /**
     * Sends a command and returns its reply.
     *
     * @throws RejectedException                                   if the machine did not accept it
     * @throws io.slipstream.service.client.ServiceException if the machine threw; the message is that of the exception
     */
    public <R> R call(Command<R> command) {
        return send(MessageType.COMMAND, command);
    }

    /** Sends a command and returns what became of it. */
    public <R> Outcome<R> attempt(Command<R> command) {
        try {
            return new Outcome.Accepted<>(call(command));
        } catch (RejectedException e) {
            return new Outcome.Rejected<>(e.reason());
        }
    }

    /** Asks the machine something; throws as {@link #call(Command)} does. */
    public <R> R query(Query<R> query) {
        return send(MessageType.QUERY, query);
    }

    /** Sends a command in bytes; throws as {@link #call(Command)} does. */
    public Reply call(byte[] payload) {
        return send(MessageType.COMMAND, payload);
    }

    /** Asks the machine something in bytes; throws as {@link #call(Command)} does. */
    public Reply query(byte[] payload) {
        return send(MessageType.QUERY, payload);
    }

    /** Sends the last command once more, as a client does whose connection broke before it got the reply. */
    public Reply resend() {
        if (last == null) {
            throw new IllegalStateException("no command was sent");
        }
        MemorySegment again = service.log()
                .frame(
                        MessageType.COMMAND,
                        payloadLength(last),
                        session,
                        Message.correlation(last, 0),
                        service.timeNanos());
        MemorySegment.copy(last, Message.HEADER_BYTES, again, Message.HEADER_BYTES, payloadLength(last));
        Message.flags(again, 0, Message.RESENT);
        return exchange(again);
    }

    /** Returns the events that came since this was last asked. */
    public List<Event> events() {
        return typed(rawEvents());
    }

    /** Returns the events that came since this was last asked, as bytes. */
    public List<byte[]> rawEvents() {
        List<byte[]> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** Subscribes to a topic; the items of its snapshot come first. */
    public void subscribe(long topic) {
        Feed feed = feeds.computeIfAbsent(topic, ignored -> new Feed());
        MemorySegment frame = service.log()
                .frame(MessageType.SUBSCRIBE, Subscription.BYTES, session, ++lastCorrelation, service.timeNanos());
        Subscription.encodePayload(frame, 0, topic, feed.sequence, feed.index, 0);
        exchange(frame);
    }

    /** Returns the items of a topic that came since this was last asked. */
    public List<Event> items(long topic) {
        return typed(rawItems(topic));
    }

    /** Returns the items of a topic that came since this was last asked, as bytes. */
    public List<byte[]> rawItems(long topic) {
        Feed feed = feeds.get(topic);
        if (feed == null) {
            throw new IllegalStateException("topic " + topic + " was not subscribed to");
        }
        List<byte[]> taken = List.copyOf(feed.items);
        feed.items.clear();
        return taken;
    }

    /** Breaks the connection: the session goes on without it, and what it is sent is kept. */
    public void disconnect() {
        if (connection != 0) {
            service.enter(service.log().frame(MessageType.DETACH, 0, session, connection, service.timeNanos()));
            service.forget(connection);
            connection = 0;
        }
    }

    /** Resumes the session and the subscriptions; what was missed comes now. */
    public void reconnect() {
        answer = null;
        connection = service.connect(this, principal, key, seenSequence, seenIndex);
        throwFailure();
        for (long topic : List.copyOf(feeds.keySet())) {
            subscribe(topic);
        }
    }

    /** Ends the session. */
    public void close() {
        send(MessageType.BYE, new byte[0]);
        service.forget(connection);
        connection = 0;
    }

    void lostConnection() {
        connection = 0;
    }

    boolean isConnected() {
        return connection != 0;
    }

    /** Takes an output that is for this session. */
    void onOutput(MemorySegment memory, long offset) {
        short type = Message.type(memory, offset);
        if (type == MessageType.WELCOME) {
            session = Message.session(memory, offset);
            resumption = Message.index(memory, offset);
            return;
        }
        if (type == MessageType.ITEM) {
            onItem(memory, offset);
            return;
        }
        long sequence = Message.sequence(memory, offset);
        int index = Message.index(memory, offset);
        if (index > 0 && (sequence > seenSequence || sequence == seenSequence && index > seenIndex)) {
            seenSequence = sequence;
            seenIndex = index;
        }
        if (type == MessageType.EVENT) {
            events.add(payload(memory, offset));
        } else {
            answer = copy(memory, offset);
            if (type == MessageType.SUBSCRIBED) {
                Feed feed = feeds.computeIfAbsent(Subscription.topic(memory, offset), ignored -> new Feed());
                feed.sequence = Subscription.sequence(memory, offset);
                feed.index = Subscription.index(memory, offset);
            }
        }
    }

    private void onItem(MemorySegment memory, long offset) {
        Feed feed = feeds.get(Message.correlation(memory, offset));
        if (feed != null && isConnected()) {
            feed.items.add(payload(memory, offset));
            if (Message.index(memory, offset) > 0) {
                feed.sequence = Message.sequence(memory, offset);
                feed.index = Message.index(memory, offset);
            }
        }
    }

    private <C, R> R send(short type, C request) {
        @SuppressWarnings("unchecked")
        Operation<C, R> operation = contract().operation((Class<C>) request.getClass());
        return operation
                .replyCodec()
                .fromBytes(send(type, operation.codec().toBytes(request)).payload());
    }

    private Reply send(short type, byte[] payload) {
        if (!isConnected()) {
            throw new IllegalStateException("the client is not connected; reconnect() it first");
        }
        MemorySegment frame =
                service.log().frame(type, payload.length, session, ++lastCorrelation, service.timeNanos());
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame, Message.HEADER_BYTES, payload.length);
        if (type == MessageType.COMMAND) {
            last = frame;
        }
        return exchange(frame);
    }

    private Reply exchange(MemorySegment frame) {
        answer = null;
        Message.resumption(frame, 0, resumption);
        service.enter(frame);
        throwFailure();
        MemorySegment got = answer;
        if (got == null) {
            throw new IllegalStateException("the service has not answered");
        }
        return new Reply(Message.sequence(got, 0), payload(got, 0));
    }

    private void throwFailure() {
        MemorySegment got = answer;
        if (got != null && (Message.type(got, 0) == MessageType.FAILED || Message.type(got, 0) == MessageType.ERROR)) {
            FailureCode code = FailureNotice.code(got, 0);
            String text = FailureNotice.text(got, 0);
            throw code == FailureCode.REJECTED ? new RejectedException(text) : new ServiceException(code, text);
        }
    }

    private List<Event> typed(List<byte[]> payloads) {
        Contract contract = contract();
        return payloads.stream()
                .map(bytes -> contract.event(MemorySegment.ofArray(bytes), 0, bytes.length))
                .toList();
    }

    private Contract contract() {
        Contract contract = service.contract();
        if (contract == null) {
            throw new IllegalStateException("this machine takes bytes: it is no TypedMachine");
        }
        return contract;
    }

    private static int payloadLength(MemorySegment frame) {
        return Frame.length(frame, 0) - Message.HEADER_BYTES;
    }

    private static byte[] payload(MemorySegment memory, long offset) {
        return memory.asSlice(offset + Message.HEADER_BYTES, Frame.length(memory, offset) - Message.HEADER_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment copy(MemorySegment memory, long offset) {
        int length = Frame.length(memory, offset);
        MemorySegment copy = MemorySegment.ofArray(new long[Frame.align(length) / Long.BYTES]);
        MemorySegment.copy(memory, offset, copy, 0, length);
        return copy;
    }
}
