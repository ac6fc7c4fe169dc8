package io.slipstream.architecture.interrupts;

import io.slipstream.architecture.interrupts.Values.Numbers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls what is public on an interrupted thread, and finds what it does otherwise than on another: a call may do its
 * work and leave the thread interrupted, or stop waiting by an {@link InterruptedException} that it declares, or refuse
 * what another thread is refused. Each object is made for one call, and must work after it.
 */
final class InterruptedCalls {
    /** Tried in this order until a call does not refuse them. */
    private static final List<Numbers> NUMBERS = List.of(
            new Numbers(InterruptProbes.FRAME_BYTES, 0),
            new Numbers(1, 1),
            new Numbers(0, 0),
            new Numbers(1 << 16, 1 << 12),
            new Numbers(1 << 12, 1 << 16));

    private static final int FRAMES = 10;

    private final Function<Numbers, Values> makers;
    private final InterruptProbes probes;
    private final Duration limit;

    /** @param limit how long a call may take, with the making of its object, before it hangs */
    InterruptedCalls(InterruptProbes probes, Function<Numbers, Values> makers, Duration limit) {
        this.probes = probes;
        this.makers = makers;
        this.limit = limit;
    }

    /** What happened: nothing is {@code thrown} if the call returned, and no {@code fault} found if all is well. */
    private record Outcome(
            @Nullable Throwable thrown, @Nullable String fault, boolean isOfNumbers) {}

    /** An object or an argument cannot be made. */
    private static final class Unmade extends Exception {
        private static final long serialVersionUID = 1;

        Unmade(Throwable cause) {
            super(cause);
        }
    }

    /** Says of each call of a type what is wrong with it; of those that are well, nothing. */
    List<String> faultsOf(Class<?> type) {
        List<String> faults = new ArrayList<>();
        for (Executable call : PublicApi.callsOf(type)) {
            String fault = probes.isSpared(type, call) ? null : faultOf(type, call);
            if (fault != null) {
                String arguments = Arrays.stream(call.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList()
                        .toString();
                faults.add(PublicApi.name(type, call) + arguments + " " + fault);
            }
        }
        return faults;
    }

    private @Nullable String faultOf(Class<?> type, Executable call) {
        Throwable refusal = null;
        for (Numbers numbers : NUMBERS) {
            Outcome interrupted = run(type, call, numbers, true);
            Throwable thrown = interrupted.thrown;
            if (interrupted.fault != null || thrown == null || stopsWaiting(call, thrown)) {
                return interrupted.fault;
            }
            if (!(thrown instanceof Unmade)) {
                Outcome calm = run(type, call, numbers, false);
                if (calm.thrown == null || calm.thrown.getClass() != thrown.getClass()) {
                    return "throws, but on a calm thread does not (" + calm + "): " + trace(thrown);
                }
            }
            refusal = refusal == null || refusal instanceof Unmade ? thrown : refusal;
            if (!interrupted.isOfNumbers) {
                // Others would change nothing.
                break;
            }
        }
        if (refusal instanceof Unmade) {
            return "needs a probe: " + trace(refusal.getCause());
        }
        return waitsOrUsesFiles(call) ? "needs a probe: " + trace(refusal) : null;
    }

    private static boolean stopsWaiting(Executable call, Throwable thrown) {
        return thrown instanceof InterruptedException && isDeclared(call, thrown) || saysThatItWasInterrupted(thrown);
    }

    private static boolean isDeclared(Executable call, Throwable thrown) {
        return Arrays.stream(call.getExceptionTypes()).anyMatch(each -> each.isInstance(thrown));
    }

    private static boolean saysThatItWasInterrupted(Throwable thrown) {
        return String.valueOf(thrown.getMessage()).startsWith("interrupted while ");
    }

    /** Such a call must come as far as that. */
    private static boolean waitsOrUsesFiles(Executable call) {
        return Arrays.stream(call.getExceptionTypes())
                .anyMatch(each -> IOException.class.isAssignableFrom(each) || each == InterruptedException.class);
    }

    private Outcome run(Class<?> type, Executable call, Numbers numbers, boolean interrupted) {
        FutureTask<Outcome> task = new FutureTask<>(() -> outcomeOf(type, call, numbers, interrupted));
        Thread thread =
                Thread.ofPlatform().daemon().name(PublicApi.name(type, call)).start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Outcome(null, "hangs: " + Arrays.toString(thread.getStackTrace()), true);
        } catch (ExecutionException e) {
            return new Outcome(new Unmade(e.getCause()), null, true);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Outcome outcomeOf(Class<?> type, Executable call, Numbers numbers, boolean interrupted) throws Exception {
        Values values = makers.apply(numbers);
        Outcome outcome;
        try {
            Object subject = PublicApi.isStatic(call) ? null : values.subjectOf(type, call);
            Object[] arguments = values.argumentsOf(type, call);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Object result = null;
            Throwable thrown = null;
            try {
                result = values.call(call, subject, arguments);
            } catch (InvocationTargetException e) {
                thrown = e.getCause();
            } catch (Exception e) {
                thrown = e;
            }
            boolean kept = Thread.interrupted();
            boolean mayEnd = thrown != null && !saysThatItWasInterrupted(thrown);
            String fault = thrown == null ? null : blame(thrown);
            outcome = new Outcome(
                    thrown,
                    fault != null || kept || mayEnd || !interrupted ? fault : "loses the interrupt",
                    values.hasUsedNumbers());
            if (outcome.fault == null) {
                outcome = new Outcome(thrown, harm(call, subject, result), values.hasUsedNumbers());
            }
        } finally {
            Thread.interrupted();
        }
        String atTheEnd = null;
        try {
            values.close();
        } catch (Exception e) {
            atTheEnd = blame(e);
        }
        return outcome.fault != null || atTheEnd == null
                ? outcome
                : new Outcome(outcome.thrown, "at the end " + atTheEnd, outcome.isOfNumbers);
    }

    private @Nullable String harm(Executable call, @Nullable Object subject, @Nullable Object result) {
        try {
            if (subject != null && !probes.ends(call)) {
                probes.requireWorking(subject);
            }
            if (result != null && result != subject) {
                probes.requireWorking(result);
            }
            return null;
        } catch (Throwable e) {
            return "leaves what no longer works: " + trace(e);
        }
    }

    /** Says what is wrong with an exception, if anything is. */
    private static @Nullable String blame(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            boolean isOfTheInterrupt = each instanceof ClosedChannelException
                    || each instanceof FileLockInterruptionException
                    || each.getClass() == InterruptedIOException.class;
            if (isOfTheInterrupt || message.contains("make room") || message.contains(": null")) {
                return "throws " + trace(thrown);
            }
        }
        return null;
    }

    /** The causes, each with the frames that tell something. */
    private static String trace(@Nullable Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            text.append(each).append('\n');
            Arrays.stream(each.getStackTrace())
                    .limit(FRAMES)
                    .forEach(frame -> text.append("    ").append(frame).append('\n'));
            for (Throwable suppressed : each.getSuppressed()) {
                text.append("  with ").append(suppressed).append('\n');
            }
        }
        return text.toString();
    }
}
