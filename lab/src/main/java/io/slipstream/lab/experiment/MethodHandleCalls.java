package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** B19: a method called directly, by reflection and through a method handle. */
final class MethodHandleCalls implements Experiment {
    private static final int CHUNK = 10_000;
    private static final MethodHandle STATIC = handle("addStatic", true);
    private static final MethodHandle INSTANCE = handle("add", false);

    private final int step;

    MethodHandleCalls() {
        step = 1;
    }

    @Override
    public Card card() {
        return Card.of("B19", "Method handles", Group.JVM)
                .question("What does a call cost directly, by reflection, and through a method handle, constant or kept"
                        + " in a field?")
                .reported("Method handles", "beat reflection when exact", "2012", "handle, constant", "static", "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(15), Duration.ofMinutes(3))
                .rule("Holds when exact calls through a constant handle are at least twice as fast as reflection,"
                        + " for static and instance methods.")
                .explanation("""
                        A handle in a static final field is a constant to the JIT compiler: the call is inlined as if
                        written there. In an ordinary field it cannot be seen through, and costs an indirect call.
                        Reflection has been built on method handles since JDK 18; it still boxes arguments and results
                        and checks access, and its Method object must be a constant to be inlined.

                        Resolve once, keep it in a static final field, call with invokeExact.""");
    }

    @Override
    public void plan(Plan plan) {
        int chunks = plan.count(1, 1_000, 20_000);
        plan.add("direct", "static", () -> calls(chunks, MethodHandleCalls::directStatic));
        plan.add("direct", "instance", () -> calls(chunks, this::direct));
        plan.add("reflection", "static", () -> {
            Method method = MethodHandleCalls.class.getDeclaredMethod("addStatic", int.class);
            return calls(chunks, start -> reflect(method, null, start));
        });
        plan.add("reflection", "instance", () -> {
            Method method = MethodHandleCalls.class.getDeclaredMethod("add", int.class);
            return calls(chunks, start -> reflect(method, this, start));
        });
        plan.add("handle, constant", "static", () -> calls(chunks, MethodHandleCalls::constantStatic));
        plan.add("handle, constant", "instance", () -> calls(chunks, this::constant));
        plan.add("handle, in a field", "static", () -> {
            MethodHandle kept = handle("addStatic", true);
            return calls(chunks, start -> kept(kept, start));
        });
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(Stream.of("static", "instance")
                .map(x -> found.ratio("ns/op", "reflection", x, "handle, constant", x)
                        .atLeast(2, "Reflection against a constant handle (" + x + "):"))
                .toArray(Verdict[]::new));
    }

    private interface Chunk {
        int run(int start) throws Throwable;
    }

    private static Workload calls(int chunks, Chunk chunk) {
        return round -> {
            int value = 0;
            long start = System.nanoTime();
            try {
                for (int i = 0; i < chunks; i++) {
                    value = chunk.run(value);
                }
            } catch (Throwable e) {
                throw new IllegalStateException("a call failed: " + e, e);
            }
            round.nanosPerOp(System.nanoTime() - start, (long) chunks * CHUNK);
            int expected = 0;
            for (long i = 0; i < (long) chunks * CHUNK; i++) {
                expected = expected * 31 + 1;
            }
            round.check("value", expected, value);
        };
    }

    /** Not a plain sum, which a compiler would work out without a single call. */
    static int addStatic(int value) {
        return value * 31 + 1;
    }

    int add(int value) {
        return value * 31 + step;
    }

    private static int directStatic(int start) {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = addStatic(value);
        }
        return value;
    }

    private int direct(int start) {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = add(value);
        }
        return value;
    }

    private static int reflect(Method method, @Nullable Object receiver, int start)
            throws ReflectiveOperationException {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = (int) method.invoke(receiver, value);
        }
        return value;
    }

    private static int constantStatic(int start) throws Throwable {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = (int) STATIC.invokeExact(value);
        }
        return value;
    }

    private int constant(int start) throws Throwable {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = (int) INSTANCE.invokeExact(this, value);
        }
        return value;
    }

    private static int kept(MethodHandle handle, int start) throws Throwable {
        int value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = (int) handle.invokeExact(value);
        }
        return value;
    }

    private static MethodHandle handle(String name, boolean isStatic) {
        MethodType type = MethodType.methodType(int.class, int.class);
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            return isStatic
                    ? lookup.findStatic(MethodHandleCalls.class, name, type)
                    : lookup.findVirtual(MethodHandleCalls.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of this very file is gone", e);
        }
    }
}
