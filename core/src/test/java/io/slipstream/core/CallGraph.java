package io.slipstream.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which method of some classes may call which, read from their byte code.
 *
 * <p>A virtual call may go to every override in these classes, and to every lambda and method reference for that
 * interface. Besides, a lambda counts as called where it is made. Not followed are calls through a type of other
 * classes, such as {@code Runnable.run}, and static initializers.
 */
final class CallGraph {
    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();
    private final Map<Method, MethodModel> bodies = new HashMap<>();

    /** What is behind the lambdas of an interface, by the names of interface and method. */
    private final Map<String, Set<Call>> lambdas = new HashMap<>();

    /** A method, by the binary name of its class with slashes, its name and its descriptor. */
    record Method(String owner, String name, String type) {
        @Override
        public String toString() {
            return owner.substring(owner.lastIndexOf('/') + 1) + "." + name;
        }
    }

    /** What an instruction may lead to; {@code isVirtual} says that an override may be meant. */
    private record Call(Method method, boolean isVirtual) {}

    /** What {@link #walk} has found: all methods that were walked, and the ways to what must not be reached. */
    record Walk(Set<Method> reached, List<String> violations) {
        Set<String> names() {
            Set<String> names = new LinkedHashSet<>();
            reached.forEach(method -> names.add(method.toString()));
            return names;
        }
    }

    /** Reads class files, given by their bytes. */
    CallGraph(Collection<byte[]> files) {
        for (byte[] file : files) {
            ClassModel model = ClassFile.of().parse(file);
            classes.put(name(model), model);
            for (MethodModel method : model.methods()) {
                bodies.put(
                        new Method(
                                name(model),
                                method.methodName().stringValue(),
                                method.methodType().stringValue()),
                        method);
                method.code().ifPresent(code -> code.forEach(this::noteLambda));
            }
        }
        for (String name : classes.keySet()) {
            addToSupertypes(name, name);
        }
    }

    /** Returns the bytes of all class files in {@code folder}. */
    static List<byte[]> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return new ArrayList<>(files.filter(file -> file.toString().endsWith(".class"))
                    .map(CallGraph::bytes)
                    .toList());
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void noteLambda(CodeElement element) {
        if (element instanceof InvokeDynamicInstruction dynamic) {
            String made = internalName(dynamic.typeSymbol().returnType()) + "."
                    + dynamic.name().stringValue();
            lambdas.computeIfAbsent(made, key -> new LinkedHashSet<>()).addAll(calls(element));
        }
    }

    private static String name(ClassModel model) {
        return model.thisClass().asInternalName();
    }

    private void addToSupertypes(String name, String subtype) {
        if (subtypes.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(subtype)) {
            supertypes(name).forEach(type -> addToSupertypes(type, subtype));
        }
    }

    /** Returns the superclass and then the interfaces of a class, none if it is not one of these. */
    private List<String> supertypes(String name) {
        ClassModel model = classes.get(name);
        return model == null
                ? List.of()
                : Stream.concat(model.superclass().stream(), model.interfaces().stream())
                        .map(ClassEntry::asInternalName)
                        .toList();
    }

    /** Returns every method with a body of the class of that simple name and of its subtypes; all overloads. */
    List<Method> methods(String simpleName, String name) {
        List<Method> found = new ArrayList<>();
        for (String owner : classes.keySet()) {
            if (owner.endsWith("/" + simpleName)) {
                for (Method method : bodies.keySet()) {
                    if (method.name.equals(name)
                            && subtypes.getOrDefault(owner, Set.of()).contains(method.owner)
                            && hasCode(method)) {
                        found.add(method);
                    }
                }
            }
        }
        return found;
    }

    /**
     * Follows every call from {@code roots} on, breadth first, so that the way to a violation is a shortest one.
     *
     * @param isEnd     whether the call of the second method by the first one is not followed
     * @param violation says of a method, called or walked, why it must not be reached, or returns null
     */
    Walk walk(
            Collection<Method> roots, BiPredicate<Method, Method> isEnd, Function<Method, @Nullable String> violation) {
        Map<Method, String> ways = new LinkedHashMap<>();
        Set<String> violations = new LinkedHashSet<>();
        Deque<Method> open = new ArrayDeque<>();
        for (Method root : roots) {
            if (ways.putIfAbsent(root, root.toString()) == null) {
                open.add(root);
            }
        }
        while (!open.isEmpty()) {
            Method method = open.remove();
            String way = ways.get(method);
            if (locks(method)) {
                violations.add(way + " locks a monitor");
            }
            for (Method called : calledBy(method)) {
                if (isEnd.test(method, called)) {
                    continue;
                }
                String why = violation.apply(called);
                if (why != null) {
                    violations.add(way + " -> " + called + " " + why);
                } else if (hasCode(called) && ways.putIfAbsent(called, way + " -> " + called) == null) {
                    open.add(called);
                }
            }
        }
        return new Walk(ways.keySet(), List.copyOf(violations));
    }

    private boolean hasCode(Method method) {
        MethodModel body = bodies.get(method);
        return body != null && body.code().isPresent();
    }

    private boolean locks(Method method) {
        MethodModel body = body(method);
        return body.flags().has(AccessFlag.SYNCHRONIZED)
                || body.code()
                        .orElseThrow()
                        .elementStream()
                        .anyMatch(element -> element instanceof MonitorInstruction monitor
                                && monitor.opcode() == Opcode.MONITORENTER);
    }

    private MethodModel body(Method method) {
        MethodModel body = bodies.get(method);
        if (body == null) {
            throw new IllegalArgumentException(method + " is not in these classes");
        }
        return body;
    }

    private Set<Method> calledBy(Method method) {
        Set<Method> called = new LinkedHashSet<>();
        for (CodeElement element : body(method).code().orElseThrow()) {
            for (Call call : calls(element)) {
                called.addAll(targets(call));
            }
        }
        return called;
    }

    private static List<Call> calls(CodeElement element) {
        return switch (element) {
            case InvokeInstruction invoke ->
                List.of(new Call(
                        new Method(
                                invoke.owner().asInternalName(),
                                invoke.name().stringValue(),
                                invoke.type().stringValue()),
                        invoke.opcode() == Opcode.INVOKEVIRTUAL || invoke.opcode() == Opcode.INVOKEINTERFACE));
            case InvokeDynamicInstruction dynamic ->
                dynamic.bootstrapArgs().stream().flatMap(CallGraph::handle).toList();
            default -> List.of();
        };
    }

    /** Returns the implementation of a lambda or of a method reference. */
    private static Stream<Call> handle(ConstantDesc constant) {
        if (!(constant instanceof DirectMethodHandleDesc handle)) {
            return Stream.empty();
        }
        Method method = new Method(internalName(handle.owner()), handle.methodName(), handle.lookupDescriptor());
        return switch (handle.kind()) {
            case VIRTUAL, INTERFACE_VIRTUAL -> Stream.of(new Call(method, true));
            case STATIC, INTERFACE_STATIC, SPECIAL, INTERFACE_SPECIAL, CONSTRUCTOR ->
                Stream.of(new Call(method, false));
            default -> Stream.empty();
        };
    }

    private static String internalName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
    }

    private Set<Method> targets(Call call) {
        Set<Method> targets = new LinkedHashSet<>();
        targets.add(declared(call.method.owner, call.method));
        if (call.isVirtual && classes.containsKey(call.method.owner)) {
            for (String subtype : subtypes.getOrDefault(call.method.owner, Set.of())) {
                targets.add(declared(subtype, call.method));
                for (Call lambda : lambdas.getOrDefault(subtype + "." + call.method.name, Set.of())) {
                    targets.addAll(targets(lambda));
                }
            }
        }
        return targets;
    }

    /**
     * Returns the method as {@code owner} has it or inherits it; of a class that is not one of these, where it may be.
     */
    private Method declared(String owner, Method method) {
        Method own = new Method(owner, method.name, method.type);
        if (bodies.containsKey(own)) {
            return own;
        }
        @Nullable Method outside = classes.containsKey(owner) ? null : own;
        for (String supertype : supertypes(owner)) {
            Method inherited = declared(supertype, method);
            if (hasCode(inherited)) {
                return inherited;
            }
            // The superclass comes first.
            outside = outside == null ? inherited : outside;
        }
        return outside == null ? own : outside;
    }
}
