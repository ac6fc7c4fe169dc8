package io.slipstream.architecture.interrupts;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of any type to call methods with: by a maker of the type, else by whatever public constant, constructor
 * or method gives one, else, if users implement the type, as an object that does nothing. Closes them in the end.
 */
final class Values {
    private static final AtomicInteger FILES = new AtomicInteger();

    private final PublicApi api;
    private final Makers makers;
    private final Numbers numbers;
    private final Path folder;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Set<Class<?>> begun = new HashSet<>();
    private boolean hasUsedNumbers;

    /** Makes a value, of others if need be. */
    interface Maker {
        Object make(Values values) throws Exception;
    }

    /** Knows how values are made, where no rule does. */
    interface Makers {
        /** Returns the maker of all values of a type, or null. */
        @Nullable
        Maker of(Class<?> type);

        /** Returns the maker of those that one call of a type is given, or is called on, or null. */
        @Nullable
        Maker given(Class<?> type, Executable call, Class<?> given);

        /** Whether others use a value, too, so that it is not to be closed. */
        boolean isShared(Object value);
    }

    /** What stands for every {@code int}, mostly a length or a count, and {@code long}, mostly a position. */
    record Numbers(int ofInt, long ofLong) {}

    Values(PublicApi api, Makers makers, Numbers numbers, Path folder) {
        this.api = api;
        this.makers = makers;
        this.numbers = numbers;
        this.folder = folder;
    }

    /** Makes values as this one does, and closes them when it is told to. */
    Values another() {
        return new Values(api, makers, numbers, folder);
    }

    /** Whether something that was made is, or may be, made of the numbers. */
    boolean hasUsedNumbers() {
        return hasUsedNumbers;
    }

    /** The path of a file or folder that is not there yet. */
    Path newPath() {
        return folder.resolve("file-" + FILES.incrementAndGet());
    }

    <T> T of(Class<T> type) throws Exception {
        @SuppressWarnings("unchecked")
        T value = (T) any(type);
        return value;
    }

    /** Makes an object to call. */
    Object subjectOf(Class<?> type, Executable call) throws Exception {
        return forCall(type, call, type);
    }

    /** Makes arguments for a call of an object of a type, which may have inherited it. */
    Object[] argumentsOf(Class<?> type, Executable call) throws Exception {
        Class<?>[] types = call.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = forCall(type, call, types[i]);
        }
        return arguments;
    }

    private Object forCall(Class<?> type, Executable call, Class<?> wanted) throws Exception {
        Maker maker = makers.given(type, call, wanted);
        return maker == null ? any(wanted) : kept(maker.make(this));
    }

    /** Calls it, and has what it returns closed in the end. */
    @Nullable
    Object call(Executable call, @Nullable Object subject, Object[] arguments) throws Exception {
        call.setAccessible(true);
        try {
            Object result = call instanceof Constructor<?> constructor
                    ? constructor.newInstance(arguments)
                    : ((Method) call).invoke(subject, arguments);
            return result == null ? null : kept(result);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Has a value closed in the end, if it can be. */
    <T> T kept(T value) {
        if (value instanceof AutoCloseable closeable && !open.contains(closeable) && !makers.isShared(value)) {
            open.push(closeable);
        }
        return value;
    }

    private Object any(Class<?> type) throws Exception {
        Maker maker = makers.of(type);
        if (maker != null) {
            return kept(maker.make(this));
        }
        if (type.isPrimitive()) {
            return number(type);
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.componentType(), 1);
            Array.set(array, 0, any(type.componentType()));
            return array;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return produced(type);
    }

    private Object number(Class<?> type) {
        hasUsedNumbers = true;
        return switch (type.getName()) {
            case "boolean" -> numbers.ofInt > 0;
            case "byte" -> (byte) numbers.ofInt;
            case "char" -> 'x';
            case "short" -> (short) numbers.ofInt;
            case "int" -> numbers.ofInt;
            case "long" -> numbers.ofLong;
            case "float" -> (float) numbers.ofInt;
            default -> (double) numbers.ofInt;
        };
    }

    private Object produced(Class<?> type) throws Exception {
        Object constant = PublicApi.constantOf(type);
        if (constant != null) {
            return constant;
        }
        List<Executable> producers = api.producersOf(type);
        Exception refusal = new IllegalStateException("nothing makes a value of " + type.getName() + ": add a maker");
        if (begun.add(type)) {
            try {
                for (Executable producer : producers) {
                    try {
                        Object subject =
                                PublicApi.isStatic(producer) ? null : subjectOf(producer.getDeclaringClass(), producer);
                        Object[] arguments = argumentsOf(producer.getDeclaringClass(), producer);
                        Object value = unwrapped(call(producer, subject, arguments));
                        if (value != null) {
                            return value;
                        }
                    } catch (Exception e) {
                        refusal.addSuppressed(e);
                    }
                }
            } finally {
                begun.remove(type);
            }
        }
        for (Class<?> kind : api.kindsOf(type)) {
            return any(kind);
        }
        if (type.isInterface() && refusal.getSuppressed().length == 0) {
            return ofAUser(type);
        }
        throw refusal;
    }

    private static @Nullable Object unwrapped(@Nullable Object value) {
        return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    }

    /** An object as users write them: its methods do nothing, and return the simplest values. */
    private Object ofAUser(Class<?> type) {
        InvocationHandler nothing = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> type.getSimpleName();
                };
            }
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            return simplest(method.getReturnType(), arguments);
        };
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, nothing);
    }

    private @Nullable Object simplest(Class<?> type, Object @Nullable [] arguments) throws Exception {
        if (type == void.class) {
            return null;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == Object.class) {
            return arguments == null || arguments.length == 0 ? "text" : arguments[0];
        }
        return type.isPrimitive() ? new Values(api, makers, new Numbers(0, 0), folder).number(type) : any(type);
    }

    /** Closes what was made, the newest first, and throws what the first failure was. */
    void close() throws Exception {
        Exception failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
