package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what becomes of the messages that are outstanding, each once: to its future, or to the handler if it has
 * none. For the client's thread.
 */
final class Completions {
    private final Outstanding outstanding;
    private final ReplyHandler handler;
    private final @Nullable Executor executor;

    /** Hands replies to futures out on {@code executor}, or on the thread that calls this if there is none. */
    Completions(Outstanding outstanding, ReplyHandler handler, @Nullable Executor executor) {
        this.outstanding = outstanding;
        this.handler = handler;
        this.executor = executor;
    }

    /** Completes what a reply answers, if that is still outstanding. */
    void reply(MemorySegment memory, long offset, int length) {
        long position = find(memory, offset);
        if (position < 0) {
            return;
        }
        long sequence = Message.sequence(memory, offset);
        long payload = offset + Message.HEADER_BYTES;
        int payloadLength = length - Message.HEADER_BYTES;
        long attachment = outstanding.attachment(position);
        CompletableFuture<?> future = take(position);
        if (future == null) {
            handler.onReply(attachment, sequence, memory, payload, payloadLength);
        } else {
            complete(
                    future,
                    new Reply(sequence, memory.asSlice(payload, payloadLength).toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    /** Completes what a service has no room for at present. */
    void busy(MemorySegment memory, long offset) {
        long position = find(memory, offset);
        if (position < 0) {
            return;
        }
        long retryAfterNanos = Busy.retryAfterNanos(memory, offset);
        long attachment = outstanding.attachment(position);
        CompletableFuture<?> future = take(position);
        if (future == null) {
            handler.onBusy(attachment, retryAfterNanos);
        } else {
            fail(future, new BusyException(Busy.reason(memory, offset), retryAfterNanos));
        }
    }

    /** Returns whether what a message confirms is outstanding. */
    boolean awaits(MemorySegment memory, long offset) {
        return find(memory, offset) >= 0;
    }

    /** Completes what a message confirms, if that is still outstanding. */
    void confirm(MemorySegment memory, long offset) {
        long position = find(memory, offset);
        if (position >= 0) {
            CompletableFuture<?> future = take(position);
            if (future != null) {
                future.complete(null);
            }
        }
    }

    /** Fails what a message answers, if that is still outstanding. */
    void fail(MemorySegment memory, long offset, ServiceException why) {
        long position = find(memory, offset);
        if (position >= 0) {
            fail(position, why);
        }
    }

    /** The service that was found may take less than the one before: what it would not take fails alone. */
    void failLongerThan(int maxFrameLength) {
        long end = outstanding.newest();
        long position = outstanding.oldest();
        while ((position = outstanding.firstUnanswered(position, end)) < end) {
            int length = outstanding.frameLength(position);
            if (length > maxFrameLength) {
                fail(
                        position,
                        new ServiceException(
                                FailureCode.TOO_LONG,
                                "the service takes payloads of at most "
                                        + (maxFrameLength - Message.HEADER_BYTES) + " bytes, not "
                                        + (length - Message.HEADER_BYTES)));
            } else {
                position += Frame.align(length);
            }
        }
    }

    void failAll(ServiceException why) {
        failBefore(outstanding.newest(), why);
    }

    void failBefore(long end, ServiceException why) {
        long position = outstanding.oldest();
        while ((position = outstanding.firstUnanswered(position, end)) < end) {
            fail(position, why);
        }
    }

    private void fail(long position, ServiceException why) {
        long attachment = outstanding.attachment(position);
        CompletableFuture<?> future = take(position);
        if (future == null) {
            handler.onFailure(attachment, why);
        } else {
            fail(future, why);
        }
    }

    /** Fails a future where futures are completed. */
    void fail(CompletableFuture<?> future, ServiceException why) {
        Executor elsewhere = executor;
        if (elsewhere == null || future instanceof FeedTable.Answer) {
            future.completeExceptionally(why);
        } else {
            execute(elsewhere, () -> future.completeExceptionally(why));
        }
    }

    private long find(MemorySegment memory, long offset) {
        return outstanding.find(Message.correlation(memory, offset), outstanding.newest());
    }

    /** From here on the place may be used again. */
    private @Nullable CompletableFuture<?> take(long position) {
        CompletableFuture<?> future = outstanding.future(position);
        outstanding.answered(position);
        return future;
    }

    @SuppressWarnings("unchecked")
    private void complete(CompletableFuture<?> future, Reply reply) {
        CompletableFuture<Reply> replied = (CompletableFuture<Reply>) future;
        Executor elsewhere = executor;
        if (elsewhere == null) {
            replied.complete(reply);
        } else {
            execute(elsewhere, () -> replied.complete(reply));
        }
    }

    /** An executor that takes nothing more leaves no future open. */
    private static void execute(Executor executor, Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException e) {
            completion.run();
        }
    }
}
