package io.slipstream.lab.experiment.jvm;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** B19: a method called directly, by reflection and through a method handle. */
public final class MethodHandleCalls implements Experiment {
    private static final int CALLS = 10_000;

    @Override
    public Card card() {
        return Card.of("B19", "Method handles", Group.JVM)
                .question("What does a call cost directly, by reflection, and through a method handle, constant or kept"
                        + " in a field?")
                .reported(
                        "Exact calls of a handle",
                        "much faster than reflection (as cited there)",
                        "August 2011",
                        "handle, constant",
                        "static",
                        "ns/op")
                .reported(
                        "Inexact calls",
                        "measured there, the figures are cut off",
                        "August 2011",
                        "handle, inexact",
                        "static",
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .leavesToFull("direct and inexact calls of an instance method, and a handle in a field")
                .takes(Duration.ofSeconds(26), Duration.ofMinutes(6))
                .rule("Holds when exact calls through a constant handle are at least twice as fast as reflection"
                        + " with a constant Method,"
                        + " for static and instance methods.")
                .explanation("""
                    A handle in a static final field is a constant to the JIT compiler: the call is inlined as if
                    written there. In an ordinary field it cannot be seen through, and costs an indirect call.
                    Reflection has been built on method handles since JDK 18; it still boxes arguments and results
                    and checks access, and its Method object must be a constant to be inlined.

                    The article calls invoke, which adapts types with each call, because invokeExact would not work
                    for it; that is the inexact series. Handle and Method are constants alike here.

                    Resolve once, keep it in a static final field, call with invokeExact.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        plan.addBenchmark("direct", "static", Calls.class, "directStatic");
        plan.addBenchmark("reflection", "static", Calls.class, "reflectionStatic")
                .warmUp(Duration.ofSeconds(1));
        plan.addBenchmark("reflection", "instance", Calls.class, "reflection").warmUp(Duration.ofSeconds(1));
        plan.addBenchmark("handle, constant", "static", Calls.class, "constantStatic");
        plan.addBenchmark("handle, constant", "instance", Calls.class, "constant");
        plan.addBenchmark("handle, inexact", "static", Calls.class, "inexactStatic")
                .warmUp(Duration.ofSeconds(1));
        if (plan.isComplete()) {
            plan.addBenchmark("direct", "instance", Calls.class, "direct");
            plan.addBenchmark("handle, inexact", "instance", Calls.class, "inexact")
                    .warmUp(Duration.ofSeconds(1));
            plan.addBenchmark("handle, in a field", "static", Calls.class, "keptStatic");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(() -> faster(found, "static"), () -> faster(found, "instance"));
    }

    private static Verdict faster(Findings found, String x) {
        return found.ratio("ns/op", "reflection", x, "handle, constant", x)
                .atLeast(2, "Reflection against a constant handle (" + x + "):");
    }

    /** Each call takes what the one before returned. */
    @State(Scope.Thread)
    @OperationsPerInvocation(CALLS)
    public static class Calls {
        private static final MethodHandle STATIC = handle("addStatic", true);
        private static final MethodHandle INSTANCE = handle("add", false);
        private static final Method STATIC_METHOD = method("addStatic");
        private static final Method INSTANCE_METHOD = method("add");

        private final MethodHandle kept = handle("addStatic", true);
        private int step = 1;
        private int start;
        private int result;

        /** Not a plain sum, which a compiler would work out without a single call. */
        static int addStatic(int value) {
            return value * 31 + 1;
        }

        int add(int value) {
            return value * 31 + step;
        }

        @Benchmark
        public int directStatic() {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = addStatic(value);
            }
            result = value;
            return value;
        }

        @Benchmark
        public int direct() {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = add(value);
            }
            result = value;
            return value;
        }

        @Benchmark
        public int reflectionStatic() throws ReflectiveOperationException {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (int) STATIC_METHOD.invoke(null, value);
            }
            result = value;
            return value;
        }

        @Benchmark
        public int reflection() throws ReflectiveOperationException {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (int) INSTANCE_METHOD.invoke(this, value);
            }
            result = value;
            return value;
        }

        @Benchmark
        public int constantStatic() throws Throwable {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (int) STATIC.invokeExact(value);
            }
            result = value;
            return value;
        }

        @Benchmark
        public int constant() throws Throwable {
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (int) INSTANCE.invokeExact(this, value);
            }
            result = value;
            return value;
        }

        /** The handle takes and returns an int; it is called with an Object and for one. */
        @Benchmark
        public int inexactStatic() throws Throwable {
            Object value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (Object) STATIC.invoke(value);
            }
            result = (int) value;
            return result;
        }

        @Benchmark
        public int inexact() throws Throwable {
            Object value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (Object) INSTANCE.invoke(this, value);
            }
            result = (int) value;
            return result;
        }

        @Benchmark
        public int keptStatic() throws Throwable {
            MethodHandle handle = kept;
            int value = start;
            for (int i = 0; i < CALLS; i++) {
                value = (int) handle.invokeExact(value);
            }
            result = value;
            return value;
        }

        @TearDown(Level.Iteration)
        public void check() {
            int expected = start;
            for (int i = 0; i < CALLS; i++) {
                expected = expected * 31 + 1;
            }
            Round.expect("value", expected, result);
        }

        private static MethodHandle handle(String name, boolean isStatic) {
            MethodType type = MethodType.methodType(int.class, int.class);
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                return isStatic
                        ? lookup.findStatic(Calls.class, name, type)
                        : lookup.findVirtual(Calls.class, name, type);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("a method of this very file is gone", e);
            }
        }

        private static Method method(String name) {
            try {
                return Calls.class.getDeclaredMethod(name, int.class);
            } catch (NoSuchMethodException e) {
                throw new LinkageError("a method of this very file is gone", e);
            }
        }
    }
}
