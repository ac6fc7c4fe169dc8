package io.slipstream.data.codec;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.Signature;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An interface with random getters, in two versions: the second has more of them and may lack some. */
final class RandomInterface {
    enum Color {
        RED,
        GREEN,
        BLUE
    }

    record Point(int x, String label) {}

    sealed interface Shape {}

    record Dot(Point at) implements Shape {}

    record Line(Point from, List<Point> through) implements Shape {}

    private static final AtomicLong COUNT = new AtomicLong();

    /** Type in Java, name in the schema, whether it may be absent in a version after the first, and random values. */
    private record Kind(
            Class<?> type,
            @Nullable Class<?> element,
            String schemaName,
            boolean hasEmpty,
            Function<Random, Object> values) {}

    private record Getter(int id, Kind kind, int since, boolean isOptional, int removedIn) {
        String name() {
            return "f" + id;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(boolean.class, null, "boolean", true, Random::nextBoolean),
            new Kind(byte.class, null, "byte", true, r -> (byte) r.nextInt()),
            new Kind(short.class, null, "short", true, r -> (short) r.nextInt()),
            new Kind(char.class, null, "char", true, r -> (char) r.nextInt(0xd800)),
            new Kind(int.class, null, "int", true, Random::nextInt),
            new Kind(long.class, null, "long", true, Random::nextLong),
            new Kind(float.class, null, "float", true, Random::nextFloat),
            new Kind(double.class, null, "double", true, r -> r.nextGaussian() * 1e100),
            new Kind(Integer.class, null, "int?", true, Random::nextInt),
            new Kind(Double.class, null, "double?", true, Random::nextDouble),
            new Kind(String.class, null, "string", true, RandomInterface::text),
            new Kind(Color.class, null, "enum Color", false, r -> Color.values()[r.nextInt(3)]),
            new Kind(
                    Instant.class,
                    null,
                    "instant",
                    false,
                    r -> Instant.ofEpochSecond(r.nextLong() >> 30, r.nextInt(1_000_000_000))),
            new Kind(Duration.class, null, "duration", false, r -> Duration.ofNanos(r.nextLong())),
            new Kind(LocalDate.class, null, "date", false, r -> LocalDate.ofEpochDay(r.nextInt(1_000_000))),
            new Kind(UUID.class, null, "uuid", false, r -> new UUID(r.nextLong(), r.nextLong())),
            new Kind(BigDecimal.class, null, "decimal(2)", true, r -> BigDecimal.valueOf(r.nextLong(), 2)),
            new Kind(byte[].class, null, "byte[]", true, r -> bytes(r)),
            new Kind(
                    long[].class,
                    null,
                    "long[]",
                    true,
                    r -> r.longs(r.nextInt(5)).toArray()),
            new Kind(double[].class, null, "double[=3]", true, r -> r.doubles(3).toArray()),
            new Kind(Point.class, null, "record Point", false, RandomInterface::point),
            new Kind(Shape.class, null, "record Shape", false, RandomInterface::shape),
            new Kind(List.class, Integer.class, "list<int>", true, r -> list(r, Random::nextInt)),
            new Kind(List.class, String.class, "list<string>", true, r -> list(r, RandomInterface::text)),
            new Kind(List.class, Color.class, "list<enum Color>", true, r -> list(r, x -> Color.GREEN)),
            new Kind(List.class, Point.class, "list<record Point>", true, r -> list(r, RandomInterface::point)),
            new Kind(List.class, Shape.class, "list<record Shape>", true, r -> list(r, RandomInterface::shape)));

    private final List<Getter> getters = new ArrayList<>();
    private final Codec<?> first;
    private final Codec<?> second;

    RandomInterface(Random random) {
        int count = 1 + random.nextInt(random.nextInt(8) == 0 ? 40 : 8);
        int old = 1 + random.nextInt(count);
        for (int i = 1; i <= count; i++) {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            boolean canBeOptional = !kind.type.isPrimitive();
            boolean isOptional = kind.schemaName.endsWith("?")
                    || canBeOptional && (i > old && !kind.hasEmpty || random.nextInt(3) == 0);
            boolean canGo = i <= old && (isOptional || !kind.schemaName.matches("record .*"));
            getters.add(new Getter(i, kind, i > old ? 2 : 1, isOptional, canGo && random.nextInt(6) == 0 ? 2 : 0));
        }
        first = define(1);
        second = define(2);
    }

    @SuppressWarnings("unchecked")
    Codec<Object> first() {
        return (Codec<Object>) first;
    }

    @SuppressWarnings("unchecked")
    Codec<Object> second() {
        return (Codec<Object>) second;
    }

    /** Returns random values of the properties of a codec. */
    static Object[] values(Codec<?> codec, RandomInterface of, Random random) {
        return codec.schema().properties().stream()
                .map(p -> {
                    Getter getter = of.getters.get(p.field().id() - 1);
                    return getter.isOptional && random.nextInt(3) == 0 ? null : getter.kind.values.apply(random);
                })
                .toArray();
    }

    private Codec<?> define(int version) {
        String packageName = RandomInterface.class.getPackageName();
        byte[] bytes = ClassFile.of().build(ClassDesc.of(packageName, "Random" + COUNT.incrementAndGet()), type -> {
            type.withFlags(ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT);
            List<Annotation> annotations =
                    new ArrayList<>(List.of(annotation(Name.class, "Random"), annotation(Id.class, 9)));
            List<AnnotationValue> removed = new ArrayList<>();
            for (Getter getter : getters) {
                if (version == 2 && getter.removedIn != 0) {
                    removed.add(AnnotationValue.ofAnnotation(removed(getter)));
                } else if (getter.since <= version) {
                    type.withMethod(
                            getter.name(),
                            MethodTypeDesc.of(desc(getter.kind.type)),
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT,
                            method -> {
                                method.with(RuntimeVisibleAnnotationsAttribute.of(annotations(getter)));
                                if (getter.kind.element != null) {
                                    method.with(SignatureAttribute.of(java.lang.classfile.MethodSignature.parseFrom("()"
                                            + Signature.ClassTypeSig.of(
                                                            desc(List.class),
                                                            Signature.TypeArg.of(reference(getter.kind.element)))
                                                    .signatureString())));
                                }
                            });
                }
            }
            if (!removed.isEmpty()) {
                annotations.add(Annotation.of(
                        desc(Removed.All.class), AnnotationElement.of("value", AnnotationValue.ofArray(removed))));
            }
            type.with(RuntimeVisibleAnnotationsAttribute.of(annotations));
        });
        boolean isEmpty = getters.stream().allMatch(g -> version == 2 && g.removedIn != 0 || g.since > version);
        try {
            return isEmpty ? define(1) : Codec.of(MethodHandles.lookup().defineClass(bytes));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Annotation> annotations(Getter getter) {
        List<Annotation> annotations =
                new ArrayList<>(List.of(annotation(Id.class, getter.id), annotation(Since.class, getter.since)));
        if (getter.isOptional) {
            annotations.add(Annotation.of(desc(Optional.class)));
        }
        if (getter.kind.type == BigDecimal.class) {
            annotations.add(annotation(Scale.class, 2));
        } else if (getter.kind.type == double[].class) {
            annotations.add(annotation(Length.class, 3));
        } else if (getter.kind.type == String.class) {
            annotations.add(annotation(MaxLength.class, 100));
        }
        return annotations;
    }

    private static Annotation removed(Getter getter) {
        String type = getter.kind.schemaName + (getter.isOptional && !getter.kind.schemaName.endsWith("?") ? "?" : "");
        return Annotation.of(
                desc(Removed.class),
                AnnotationElement.ofString("name", getter.name()),
                AnnotationElement.ofString("type", type),
                AnnotationElement.ofInt("id", getter.id),
                AnnotationElement.ofInt("since", 1),
                AnnotationElement.ofInt("in", 2));
    }

    private static Annotation annotation(Class<?> type, int value) {
        return Annotation.of(desc(type), AnnotationElement.ofInt("value", value));
    }

    private static Annotation annotation(Class<?> type, String value) {
        return Annotation.of(desc(type), AnnotationElement.ofString("value", value));
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    private static String text(Random random) {
        String alphabet = random.nextInt(3) == 0 ? "a\u00e4\u20ac\0\"\\\n" : "abcdefgh";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.append(random.nextInt(20) == 0 ? "\uD83D\uDE00" : "").toString();
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(10)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Point point(Random random) {
        return new Point(random.nextInt(), text(random));
    }

    private static Shape shape(Random random) {
        return random.nextBoolean()
                ? new Dot(point(random))
                : new Line(point(random), list(random, RandomInterface::point));
    }

    private static <T> List<T> list(Random random, Function<Random, T> element) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(element.apply(random));
        }
        return list;
    }

    @Override
    public String toString() {
        return Arrays.asList(first.schema(), second.schema()).toString();
    }

    private static Signature.@Nullable RefTypeSig reference(Class<?> type) {
        return Signature.of(desc(type)) instanceof Signature.RefTypeSig reference ? reference : null;
    }
}
