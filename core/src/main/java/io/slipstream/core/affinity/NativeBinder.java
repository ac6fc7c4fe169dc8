package io.slipstream.core.affinity;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * Binds the calling thread by the C library's {@code sched_setaffinity}. The only place in this library that calls
 * native code.
 *
 * <p>The mask is an array of unsigned longs, in which CPU {@code n} is bit {@code n % 64} of the long {@code n / 64}.
 */
final class NativeBinder implements Affinity.Binder {
    private static final int MASK_BYTES = (CpuSet.MAX_CPU + 1) / Byte.SIZE;
    private static final int CALLING_THREAD = 0;
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle setAffinity;

    /**
     * Looks the function up.
     *
     * @throws IllegalCallerException if the JVM denies native access
     */
    @SuppressWarnings("restricted")
    NativeBinder() {
        Linker linker = Linker.nativeLinker();
        setAffinity = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("sched_setaffinity"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                Linker.Option.captureCallState("errno"));
    }

    @Override
    public Optional<String> bind(CpuSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            cpus.stream().forEach(cpu -> {
                long word = mask.getAtIndex(ValueLayout.JAVA_LONG, cpu / Long.SIZE);
                mask.setAtIndex(ValueLayout.JAVA_LONG, cpu / Long.SIZE, word | 1L << cpu % Long.SIZE);
            });
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) setAffinity.invokeExact(state, CALLING_THREAD, (long) MASK_BYTES, mask);
            if (result == 0) {
                return Optional.empty();
            }
            int errno = (int) ERRNO.get(state, 0L);
            return Optional.of("the kernel refused CPUs " + cpus + " (errno " + errno
                    + "): they do not exist, or taskset or a control group does not allow them");
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String name() {
        return "sched_setaffinity";
    }
}
