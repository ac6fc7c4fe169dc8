package io.slipstream.data.list;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.slipstream.data.column.Table;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.Type;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates the class of the cursors of a list, beside the type of the elements where that is possible, with one call
 * for each field.
 *
 * <pre>
 *   public long price()              { return readLong(4160); }
 *   public void price(long value)    { writeLong(4160, value); }
 *   public Trade element()           { return this; }                        // a record: new Trade(readLong(64), ...)
 *   protected void write(Trade from) { writeLong(4160, from.price()); ... }
 * </pre>
 */
final class CursorGenerator {
    private static final ClassDesc CURSOR = desc(Cursor.class);
    private static final AtomicLong NAMED = new AtomicLong();
    private static final MethodTypeDesc CONSTRUCTOR = MethodTypeDesc.of(CD_void, desc(HugeList.class));

    private final Schema<?> schema;
    private final List<Column> columns;
    private final Table table;
    private final int identity;
    private final ClassDesc element;

    private CursorGenerator(Schema<?> schema, List<Column> columns, Table table, int identity) {
        this.schema = schema;
        this.columns = columns;
        this.table = table;
        this.identity = identity;
        this.element = desc(schema.type());
    }

    /** Returns the constructor, which takes the list. */
    static MethodHandle generate(Schema<?> schema, List<Column> columns, Table table, int identity,
            MethodHandles.Lookup lookup) {
        CursorGenerator generator = new CursorGenerator(schema, columns, table, identity);
        Class<?> type = schema.type();
        CursorGenerator.class.getModule().addReads(type.getModule());
        try {
            return generator.define(lookup).asType(MethodType.methodType(Cursor.class, HugeList.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("the cursor of " + type.getName()
                    + " cannot be made: let its module export or open " + type.getPackageName()
                    + " to io.slipstream.data, or give the builder a lookup() of that module", e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("the cursor of " + schema.name() + " could not be generated", e);
        }
    }

    /**
     * Beside the type: as a hidden class if the lookup has all privileges there, as a class with a name if the package
     * is open to this module alone. Or else here, if the type is public.
     */
    private MethodHandle define(MethodHandles.Lookup lookup) throws IllegalAccessException, NoSuchMethodException {
        Class<?> type = schema.type();
        MethodType constructor = MethodType.methodType(void.class, HugeList.class);
        MethodHandles.Lookup inside;
        try {
            inside = MethodHandles.privateLookupIn(type, lookup);
        } catch (IllegalAccessException e) {
            if (!isPublic(type) || !isVisible(type)) {
                throw e;
            }
            inside = MethodHandles.lookup();
        }
        String name = inside.lookupClass().getPackageName() + "." + type.getSimpleName() + "Cursor";
        if (inside.hasFullPrivilegeAccess()) {
            byte[] bytes = ClassFile.of().build(ClassDesc.of(name), this::type);
            MethodHandles.Lookup hidden = inside.defineHiddenClass(bytes, true);
            return hidden.findConstructor(hidden.lookupClass(), constructor);
        }
        byte[] bytes = ClassFile.of().build(ClassDesc.of(name + "$" + NAMED.incrementAndGet()), this::type);
        return inside.findConstructor(inside.defineClass(bytes), constructor);
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
            if (!Modifier.isPublic(at.getModifiers())) {
                return false;
            }
        }
        return type.getModule().isExported(type.getPackageName(), CursorGenerator.class.getModule());
    }

    private static boolean isVisible(Class<?> type) {
        try {
            return Class.forName(type.getName(), false, CursorGenerator.class.getClassLoader()) == type;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private void type(ClassBuilder type) {
        boolean isInterface = schema.kind() == Schema.Kind.INTERFACE;
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withSuperclass(CURSOR);
        if (isInterface) {
            type.withInterfaceSymbols(element);
        }
        type.withMethodBody("<init>", CONSTRUCTOR, ClassFile.ACC_PUBLIC,
                code -> code.aload(0).aload(1).invokespecial(CURSOR, "<init>", CONSTRUCTOR).return_());
        type.withMethodBody("element", MethodTypeDesc.of(CD_Object), ClassFile.ACC_PUBLIC, this::element);
        type.withMethodBody("write", MethodTypeDesc.of(CD_void, CD_Object), ClassFile.ACC_PROTECTED, this::write);
        if (isInterface) {
            for (int i = 0; i < columns.size(); i++) {
                accessors(type, i);
            }
        }
    }

    private void element(CodeBuilder code) {
        if (schema.kind() == Schema.Kind.INTERFACE) {
            code.aload(0).areturn();
            return;
        }
        code.new_(element).dup();
        for (int i = 0; i < columns.size(); i++) {
            read(code, i);
        }
        ClassDesc[] parameters = columns.stream().map(column -> desc(column.javaType())).toArray(ClassDesc[]::new);
        code.invokespecial(element, "<init>", MethodTypeDesc.of(CD_void, parameters)).areturn();
    }

    private void write(CodeBuilder code) {
        code.aload(1).checkcast(element).astore(2);
        for (int i = 0; i < columns.size(); i++) {
            int field = i;
            Method getter = (Method) columns.get(i).property().getter();
            MethodTypeDesc type = MethodTypeDesc.of(desc(getter.getReturnType()));
            write(code, i, value -> {
                value.aload(2);
                if (schema.kind() == Schema.Kind.INTERFACE) {
                    value.invokeinterface(element, getter.getName(), type);
                } else {
                    value.invokevirtual(element, getter.getName(), type);
                }
                if (columns.get(field).type() instanceof Type.Enumeration) {
                    value.checkcast(desc(Enum.class));
                }
            });
        }
        code.return_();
    }

    private void accessors(ClassBuilder type, int field) {
        Column column = columns.get(field);
        Method getter = (Method) column.property().getter();
        type.withMethodBody(getter.getName(), MethodTypeDesc.of(desc(getter.getReturnType())), ClassFile.ACC_PUBLIC,
                code -> {
            read(code, field);
            code.return_(TypeKind.from(column.javaType()));
        });
        if (column.property().setter() instanceof Method setter) {
            MethodTypeDesc signature = MethodTypeDesc.of(desc(setter.getReturnType()), desc(column.javaType()));
            type.withMethodBody(setter.getName(), signature, ClassFile.ACC_PUBLIC, code -> {
                write(code, field, value -> value.loadLocal(TypeKind.from(column.javaType()), 1));
                if (setter.getReturnType() == void.class) {
                    code.return_();
                } else {
                    code.aload(0).areturn();
                }
            });
        }
    }

    private void read(CodeBuilder code, int field) {
        Column column = columns.get(field);
        int at = table.offset(column.first());
        code.aload(0);
        if (column.isPrimitive()) {
            code.loadConstant(at).invokevirtual(CURSOR, "read" + suffix(column),
                    MethodTypeDesc.of(desc(column.javaType()), CD_int));
        } else if (column.type() instanceof Type.Text) {
            if (!column.property().field().isOptional()) {
                code.aload(0);
            }
            code.loadConstant(at).loadConstant(field).invokevirtual(CURSOR, "readText",
                    MethodTypeDesc.of(CD_String, CD_int, CD_int));
            if (!column.property().field().isOptional()) {
                code.invokevirtual(CURSOR, "textOrEmpty", MethodTypeDesc.of(CD_String, CD_String));
            }
        } else if (isSmallEnum(column)) {
            code.loadConstant(at).loadConstant(field).invokevirtual(CURSOR, "readSmallEnum",
                    MethodTypeDesc.of(CD_Object, CD_int, CD_int))
                    .checkcast(desc(column.javaType()));
        } else {
            code.loadConstant(field).invokevirtual(CURSOR, "readObject", MethodTypeDesc.of(CD_Object, CD_int))
                    .checkcast(desc(column.javaType()));
        }
    }

    private void write(CodeBuilder code, int field, java.util.function.Consumer<CodeBuilder> value) {
        Column column = columns.get(field);
        int at = table.offset(column.first());
        if (field == identity) {
            code.aload(0);
            if (column.type() instanceof Type.Text) {
                code.loadConstant(field);
                value.accept(code);
                code.invokevirtual(CURSOR, "claimText", MethodTypeDesc.of(CD_void, CD_int, CD_String));
            } else {
                value.accept(code);
                if (column.javaType() != long.class) {
                    code.i2l();
                }
                code.invokevirtual(CURSOR, "claimLong", MethodTypeDesc.of(CD_void, CD_long));
            }
        }
        code.aload(0);
        if (column.isPrimitive()) {
            code.loadConstant(at);
            value.accept(code);
            code.invokevirtual(CURSOR, "write" + suffix(column),
                    MethodTypeDesc.of(CD_void, CD_int, desc(column.javaType())));
        } else if (column.type() instanceof Type.Text) {
            code.loadConstant(at).loadConstant(field);
            value.accept(code);
            code.invokevirtual(CURSOR, "writeText", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_String));
        } else if (isSmallEnum(column)) {
            code.loadConstant(at).loadConstant(field);
            value.accept(code);
            code.invokevirtual(CURSOR, "writeSmallEnum", MethodTypeDesc.of(CD_void, CD_int, CD_int, desc(Enum.class)));
        } else {
            code.loadConstant(field);
            value.accept(code);
            code.invokevirtual(CURSOR, "writeObject", MethodTypeDesc.of(CD_void, CD_int, CD_Object));
        }
    }

    private static boolean isSmallEnum(Column column) {
        return column.type() instanceof Type.Enumeration e && e.constants().size() <= 256
                && column.presence() == Column.NONE;
    }

    private static String suffix(Column column) {
        String name = column.javaType().getName();
        return column.javaType() == boolean.class ? "Bit" : name.substring(0, 1).toUpperCase(Locale.ROOT)
                + name.substring(1);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow(() -> new IllegalArgumentException(type + " is a hidden class"));
    }
}
