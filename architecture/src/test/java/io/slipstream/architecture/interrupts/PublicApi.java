package io.slipstream.architecture.interrupts;

import io.slipstream.architecture.SourceTree;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What modules export: their public types, with the constructors and methods of these that can be called. */
final class PublicApi {
    private static final String OURS = "io.slipstream.";
    private static final Set<String> OF_VALUES = Set.of("equals", "hashCode", "toString", "values", "valueOf", "main");

    private static final Set<String> EXPORTED = Set.copyOf(SourceTree.exportedPackages());

    private final List<Class<?>> types;

    /** @param modules by their floors, such as {@code core} */
    PublicApi(Set<String> modules) {
        types = EXPORTED.stream()
                .filter(name -> modules.contains(name.split("\\.")[2]))
                .flatMap(name -> SourceTree.typesIn(name).stream())
                .<Class<?>>flatMap(PublicApi::withNested)
                .filter(type -> isReachable(type) && !type.isAnnotation() && !Throwable.class.isAssignableFrom(type))
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    List<Class<?>> types() {
        return types;
    }

    /**
     * The public constructors and methods of a type, without those of the JDK, those of every value, and those that
     * take what is not exported.
     */
    static List<Executable> callsOf(Class<?> type) {
        List<Executable> calls = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            calls.addAll(List.of(type.getConstructors()));
        }
        Method[] methods = type.getMethods();
        for (Method method : methods) {
            if (method.getDeclaringClass().getName().startsWith(OURS)
                    && !OF_VALUES.contains(method.getName())
                    && !isCovariantBridge(method, methods)) {
                calls.add(method);
            }
        }
        calls.removeIf(call -> Arrays.stream(call.getParameterTypes()).anyMatch(PublicApi::isHidden));
        calls.sort(Comparator.comparing(Executable::toString));
        return calls;
    }

    /** The public classes of an abstract class, or of an interface that users do not implement. */
    List<Class<?>> kindsOf(Class<?> type) {
        boolean hasKinds = type.isSealed() || !type.isInterface() && Modifier.isAbstract(type.getModifiers());
        return types.stream()
                .filter(each -> hasKinds && each != type && type.isAssignableFrom(each))
                .toList();
    }

    /** A public constant of a type that has its type, such as {@code HttpLimits.DEFAULT}, or null. */
    static @Nullable Object constantOf(Class<?> type) throws IllegalAccessException {
        for (Field field : type.getFields()) {
            if (field.getType() == type
                    && Modifier.isStatic(field.getModifiers())
                    && type.getName().startsWith(OURS)) {
                return field.get(null);
            }
        }
        return null;
    }

    /** What returns or makes a value of exactly this type, the simplest first; nothing for types of others. */
    List<Executable> producersOf(Class<?> wanted) {
        if (!wanted.getName().startsWith(OURS)) {
            return List.of();
        }
        Comparator<Executable> simplest = Comparator.comparing((Executable call) -> !isStatic(call))
                .thenComparing(Executable::getParameterCount)
                .thenComparing(Executable::toString);
        return Stream.concat(types.stream(), Stream.of(wanted))
                .distinct()
                .flatMap(type -> callsOf(type).stream())
                .filter(call -> produces(call, wanted))
                .sorted(simplest)
                .toList();
    }

    /** A call that needs no object: a static method or a constructor. */
    static boolean isStatic(Executable call) {
        return call instanceof Constructor<?> || Modifier.isStatic(call.getModifiers());
    }

    /** How people call it: {@code Journal.append}, {@code Sequence.new}. */
    static String name(Class<?> type, Executable call) {
        return type.getSimpleName() + "." + name(call);
    }

    static String name(Executable call) {
        return call instanceof Constructor<?> ? "new" : call.getName();
    }

    private static boolean produces(Executable call, Class<?> wanted) {
        if (call instanceof Method method) {
            // What returns its own type changes an object that there must be already.
            return method.getReturnType() == wanted && (isStatic(call) || method.getDeclaringClass() != wanted);
        }
        return call.getDeclaringClass() == wanted;
    }

    /** A bridge of the compiler to a method of this class; one to a method of a hidden class is all that there is. */
    private static boolean isCovariantBridge(Method method, Method[] all) {
        return method.isBridge()
                && Arrays.stream(all)
                        .anyMatch(other -> !other.isBridge()
                                && other.getName().equals(method.getName())
                                && other.getParameterCount() == method.getParameterCount());
    }

    private static boolean isHidden(Class<?> type) {
        return type.getName().startsWith(OURS) && !EXPORTED.contains(type.getPackageName());
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Arrays.stream(type.getDeclaredClasses()).flatMap(PublicApi::withNested));
    }

    private static boolean isReachable(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!Modifier.isPublic(each.getModifiers()) || each.isAnonymousClass() || each.isSynthetic()) {
                return false;
            }
        }
        return true;
    }
}
