package io.slipstream.data.schema;

import io.slipstream.data.annotation.Since;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A field as Java declares it; {@code annotations} may be on the getter as well as on the setter. */
record JavaField(
        String name,
        Class<?> type,
        Type genericType,
        Member getter,
        @Nullable Member setter,
        AnnotatedElement annotated) {
    <A extends Annotation> @Nullable A annotation(Class<A> kind) {
        A found = annotated.getAnnotation(kind);
        return found == null && setter instanceof AnnotatedElement other ? other.getAnnotation(kind) : found;
    }

    int since() {
        Since since = annotation(Since.class);
        return since == null ? 1 : since.value();
    }
}
