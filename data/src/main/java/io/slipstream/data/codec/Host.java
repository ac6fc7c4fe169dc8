package io.slipstream.data.codec;

import io.slipstream.data.host.PackageHost;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.View;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * Where a class that implements a user's interface is defined: in the interface's package, or in this one if it is
 * public.
 */
record Host(MethodHandles.Lookup lookup, String packageName) {
    static Host of(Schema<?> schema, MethodHandles.Lookup given) {
        Class<?> type = schema.type();
        MethodHandles.Lookup inside = Lookups.in(type, given);
        if ((inside.lookupModes() & MethodHandles.Lookup.PACKAGE) != 0) {
            // The class that is defined there calls this one, which is in a package that is not exported.
            View.class.getModule().addExports(View.class.getPackageName(), type.getModule());
            return new Host(hostIn(inside), type.getPackageName());
        }
        if (isPublic(type)
                && type.getModule().isExported(type.getPackageName(), Codec.class.getModule())
                && isVisible(type)) {
            return new Host(MethodHandles.lookup(), Host.class.getPackageName());
        }
        throw Lookups.unreachable(
                type, new IllegalAccessException("a class that implements " + type.getName() + " cannot be defined"));
    }

    private static MethodHandles.Lookup hostIn(MethodHandles.Lookup inside) {
        try {
            return PackageHost.of(inside);
        } catch (IllegalAccessException e) {
            throw Lookups.unreachable(inside.lookupClass(), e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
            if (!Modifier.isPublic(at.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVisible(Class<?> type) {
        try {
            return Class.forName(type.getName(), false, Codec.class.getClassLoader()) == type;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    ClassDesc name(String simple) {
        return ClassDesc.of(packageName, simple);
    }

    MethodHandles.Lookup define(byte[] bytes, List<Object> constants) {
        try {
            return lookup.defineHiddenClassWithClassData(bytes, constants, true);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
