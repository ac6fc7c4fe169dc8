package io.slipstream.data.codec;

import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.wire.Struct;
import io.slipstream.data.wire.View;
import java.lang.invoke.MethodHandle;

/**
 * Makes flyweights of one interface.
 *
 * @param constructor from {@code Struct} to {@code View}
 */
record FlyweightMaker<T>(MethodHandle constructor) {
    Flyweight<T> make(Codec<T> codec) {
        try {
            return new Flyweight<>((View) constructor.invokeExact((Struct<?>) codec));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new SchemaException("the flyweight of " + codec.schema().name() + " could not be made", e);
        }
    }
}
