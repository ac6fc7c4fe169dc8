package io.slipstream.data.codec;

import io.slipstream.data.schema.SchemaException;
import java.lang.invoke.MethodHandles;

/** Finds the lookup with which a type can be reached. */
final class Lookups {
    private Lookups() {}

    /** Returns a lookup with private access to the type if {@code lookup} can have it, else one for what is public. */
    static MethodHandles.Lookup in(Class<?> type, MethodHandles.Lookup lookup) {
        Codec.class.getModule().addReads(type.getModule());
        try {
            return MethodHandles.privateLookupIn(type, lookup);
        } catch (IllegalAccessException e) {
            return MethodHandles.publicLookup();
        }
    }

    /** Returns the exception for a type that cannot be reached. */
    static SchemaException unreachable(Class<?> type, IllegalAccessException cause) {
        String module =
                Codec.class.getModule().isNamed() ? Codec.class.getModule().getName() : "io.slipstream.data";
        return new SchemaException(
                type.getName() + " cannot be reached by " + module + ": give Codec.of("
                        + type.getSimpleName()
                        + ".class, MethodHandles.lookup()), or write \"opens " + type.getPackageName() + " to " + module
                        + ";\" in module-info.java",
                cause);
    }
}
