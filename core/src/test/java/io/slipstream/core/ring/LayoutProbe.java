package io.slipstream.core.ring;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Prints, for each field of a class that is not padding, its distance to the first byte of padding before it and to the last one
 * behind it. Runs in a JVM of its own, the only one in which a test uses {@code sun.misc.Unsafe}: nothing else tells.
 */
final class LayoutProbe {
    private LayoutProbe() {
    }

    public static void main(String[] args) throws Exception {
        Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
        Field theUnsafe = unsafeClass.getDeclaredField("theUnsafe");
        theUnsafe.setAccessible(true);
        Object unsafe = theUnsafe.get(null);
        Method offsetOf = unsafeClass.getMethod("objectFieldOffset", Field.class);
        Class<?> type = Class.forName(args[0]);
        long first = Long.MAX_VALUE;
        long end = 0;
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    long offset = (long) offsetOf.invoke(unsafe, field);
                    first = Math.min(first, offset);
                    end = Math.max(end, offset + width(field));
                }
            }
        }
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getName().matches("[lr]\\d{3}")) {
                    long offset = (long) offsetOf.invoke(unsafe, field);
                    System.out.println("field " + field.getName() + " " + (offset - first) + " "
                            + (end - offset - width(field)));
                }
            }
        }
    }

    private static int width(Field field) {
        Class<?> type = field.getType();
        return type == byte.class || type == boolean.class ? 1 : type == long.class ? 8 : 4;
    }
}
