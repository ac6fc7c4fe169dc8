package io.slipstream.ipc.sleep;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's sleep on a word that processes share (futex(2)). The only place of this module that calls native code,
 * and only where the JVM was started with {@code --enable-native-access=io.slipstream.ipc} on Linux; everything works
 * without it, but sleepers wake by the clock.
 */
public final class Futex {
    private static final int WAIT = 0;
    private static final int WAKE = 1;

    private static final @Nullable Futex INSTANCE = create();

    private final MethodHandle syscall;
    private final long number;

    private Futex(MethodHandle syscall, long number) {
        this.syscall = syscall;
        this.number = number;
    }

    /** Returns the one of this process, or null if there is none. */
    public static @Nullable Futex ofThisProcess() {
        return INSTANCE;
    }

    @SuppressWarnings("restricted")
    private static @Nullable Futex create() {
        long number = switch (System.getProperty("os.arch")) {
            case "amd64" -> 202;
            case "aarch64" -> 98;
            default -> -1;
        };
        if (number < 0
                || !System.getProperty("os.name").equals("Linux")
                || !Futex.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("syscall")
                .map(function -> new Futex(
                        linker.downcallHandle(
                                function,
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.JAVA_LONG)),
                        number))
                .orElse(null);
    }

    /** Wakes whoever sleeps on the word at {@code offset}. */
    public void wake(MemorySegment memory, long offset) {
        call(memory.asSlice(offset, Integer.BYTES), WAKE, Integer.MAX_VALUE, MemorySegment.NULL);
    }

    /** Sleeps while the word is 1, until it is woken or {@code time} (a timespec) has passed, or for no reason. */
    public void sleep(MemorySegment word, MemorySegment time) {
        call(word, WAIT, 1, time);
    }

    private void call(MemorySegment word, long operation, long value, MemorySegment time) {
        try {
            long ignored = (long) syscall.invokeExact(number, word, operation, value, time, MemorySegment.NULL, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
