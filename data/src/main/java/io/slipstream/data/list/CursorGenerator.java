package io.slipstream.data.list;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.host.PackageHost;
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
import java.util.function.Consumer;

/**
 * Generates the class of the cursors of a list, beside the type of the elements where that is possible, with one call
 * for each field.
 *
 * <pre>
 *   public long price()              { return readLong(4160, 8); }
 *   public void price(long value)    { writeLong(4160, 8, value); }
 *   public Trade element()           { return this; }                     // a record: new Trade(readLong(64, 8), ...)
 *   protected void write(Trade from) { writeLong(4160, 8, from.price()); ... }
 * </pre>
 */
final class CursorGenerator {
    private static final ClassDesc CURSOR = desc(Cursor.class);
    private static final MethodTypeDesc CONSTRUCTOR = MethodTypeDesc.of(CD_void, desc(HugeList.class));

    private final Schema<?> schema;
    private final List<Column> columns;
    private final List<Columns.Node> fields;
    private final BlockLayout layout;
    private final int identity;
    private final ClassDesc element;

    private CursorGenerator(Schema<?> schema, Columns columns, BlockLayout layout, int identity) {
        this.schema = schema;
        this.columns = columns.all();
        this.fields = columns.fields();
        this.layout = layout;
        this.identity = identity;
        this.element = desc(schema.type());
    }

    /** Returns the constructor, which takes the list. */
    static MethodHandle generate(
            Schema<?> schema, Columns columns, BlockLayout layout, int identity, MethodHandles.Lookup lookup) {
        CursorGenerator generator = new CursorGenerator(schema, columns, layout, identity);
        Class<?> type = schema.type();
        CursorGenerator.class.getModule().addReads(type.getModule());
        try {
            return generator.define(lookup).asType(MethodType.methodType(Cursor.class, HugeList.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "the cursor of " + type.getName()
                            + " cannot be made: let its module export or open " + type.getPackageName()
                            + " to io.slipstream.data, or give the builder a lookup() of that module",
                    e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("the cursor of " + schema.name() + " could not be generated", e);
        }
    }

    /** Defines the class beside the type if its package is open to this module, or else here, if the type is public. */
    private MethodHandle define(MethodHandles.Lookup lookup) throws IllegalAccessException, NoSuchMethodException {
        Class<?> type = schema.type();
        MethodHandles.Lookup inside;
        try {
            inside = MethodHandles.privateLookupIn(type, lookup);
        } catch (IllegalAccessException e) {
            if (!isPublic(type) || !isVisible(type)) {
                throw e;
            }
            inside = MethodHandles.lookup();
        }
        ClassDesc name = ClassDesc.of(inside.lookupClass().getPackageName(), type.getSimpleName() + "Cursor");
        MethodHandles.Lookup hidden =
                PackageHost.of(inside).defineHiddenClass(ClassFile.of().build(name, this::type), true);
        return hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class, HugeList.class));
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
        type.withMethodBody(
                "<init>",
                CONSTRUCTOR,
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0)
                        .aload(1)
                        .invokespecial(CURSOR, "<init>", CONSTRUCTOR)
                        .return_());
        type.withMethodBody("element", MethodTypeDesc.of(CD_Object), ClassFile.ACC_PUBLIC, this::element);
        type.withMethodBody("write", MethodTypeDesc.of(CD_void, CD_Object), ClassFile.ACC_PROTECTED, this::write);
        if (isInterface) {
            fields.forEach(field -> accessors(type, field));
        }
    }

    private void element(CodeBuilder code) {
        if (schema.kind() == Schema.Kind.INTERFACE) {
            code.aload(0).areturn();
        } else {
            make(code, element, fields);
            code.areturn();
        }
    }

    /** Leaves a new record on the stack. */
    private void make(CodeBuilder code, ClassDesc type, List<Columns.Node> of) {
        code.new_(type).dup();
        of.forEach(field -> read(code, field));
        ClassDesc[] parameters =
                of.stream().map(field -> desc(field.property().javaType())).toArray(ClassDesc[]::new);
        code.invokespecial(type, "<init>", MethodTypeDesc.of(CD_void, parameters));
    }

    private void write(CodeBuilder code) {
        int value = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(1).checkcast(element).astore(value);
        writeAll(code, element, schema.kind() == Schema.Kind.INTERFACE, fields, value);
        code.return_();
    }

    /** Writes what the getters of the object in a local variable say. */
    private void writeAll(CodeBuilder code, ClassDesc owner, boolean isInterface, List<Columns.Node> of, int value) {
        for (Columns.Node field : of) {
            Method getter = (Method) field.property().getter();
            MethodTypeDesc type = MethodTypeDesc.of(desc(getter.getReturnType()));
            write(code, field, c -> {
                c.aload(value);
                if (isInterface) {
                    c.invokeinterface(owner, getter.getName(), type);
                } else {
                    c.invokevirtual(owner, getter.getName(), type);
                }
                if (field.property().field().type() instanceof Type.Enumeration) {
                    c.checkcast(desc(Enum.class));
                }
            });
        }
    }

    private void accessors(ClassBuilder type, Columns.Node field) {
        Class<?> javaType = field.property().javaType();
        Method getter = (Method) field.property().getter();
        type.withMethodBody(
                getter.getName(), MethodTypeDesc.of(desc(getter.getReturnType())), ClassFile.ACC_PUBLIC, code -> {
                    read(code, field);
                    code.return_(TypeKind.from(javaType));
                });
        if (field.property().setter() instanceof Method setter) {
            MethodTypeDesc signature = MethodTypeDesc.of(desc(setter.getReturnType()), desc(javaType));
            type.withMethodBody(setter.getName(), signature, ClassFile.ACC_PUBLIC, code -> {
                set(code, field, value -> value.loadLocal(TypeKind.from(javaType), 1));
                if (setter.getReturnType() == void.class) {
                    code.return_();
                } else {
                    code.aload(0).areturn();
                }
            });
        }
    }

    /** Writes a field; if that throws, the row is as before, or gone if it is being appended. */
    private void set(CodeBuilder code, Columns.Node field, Consumer<CodeBuilder> value) {
        int thrown = code.allocateLocal(TypeKind.REFERENCE);
        int saved = code.allocateLocal(TypeKind.REFERENCE);
        if (field instanceof Columns.Group group) {
            code.aload(0)
                    .loadConstant(group.first())
                    .loadConstant(group.end())
                    .invokevirtual(CURSOR, "save", MethodTypeDesc.of(CD_long.arrayType(), CD_int, CD_int))
                    .astore(saved);
        }
        code.trying(
                body -> write(body, field, value),
                handlers -> handlers.catchingAll(handler -> {
                    handler.astore(thrown);
                    if (field instanceof Columns.Group group) {
                        handler.aload(0)
                                .loadConstant(group.first())
                                .aload(saved)
                                .invokevirtual(
                                        CURSOR, "restore", MethodTypeDesc.of(CD_void, CD_int, CD_long.arrayType()));
                    }
                    handler.aload(0)
                            .invokevirtual(CURSOR, "refused", MethodTypeDesc.of(CD_void))
                            .aload(thrown)
                            .athrow();
                }));
    }

    private void read(CodeBuilder code, Columns.Node field) {
        switch (field) {
            case Columns.Leaf leaf -> read(code, leaf.number());
            case Columns.Group group
            when group.presence() == Column.NONE ->
                make(code, desc(group.property().javaType()), group.fields());
            case Columns.Group group -> {
                code.aload(0);
                loadPlace(code, group.presence())
                        .loadConstant(group.presence())
                        .invokevirtual(CURSOR, "readBit", MethodTypeDesc.of(CD_boolean, CD_int, CD_int, CD_int));
                code.ifThenElse(
                        there -> make(there, desc(group.property().javaType()), group.fields()),
                        CodeBuilder::aconst_null);
            }
        }
    }

    private void write(CodeBuilder code, Columns.Node field, Consumer<CodeBuilder> value) {
        switch (field) {
            case Columns.Leaf leaf -> write(code, leaf.number(), value);
            case Columns.Group group -> {
                int local = code.allocateLocal(TypeKind.REFERENCE);
                ClassDesc type = desc(group.property().javaType());
                value.accept(code);
                code.astore(local).aload(0);
                if (group.presence() == Column.NONE) {
                    code.aload(local)
                            .loadConstant(group.name())
                            .invokevirtual(CURSOR, "requireRecord", MethodTypeDesc.of(CD_void, CD_Object, CD_String));
                    writeAll(code, type, false, group.fields(), local);
                } else {
                    code.loadConstant(group.first())
                            .loadConstant(group.end())
                            .aload(local)
                            .invokevirtual(
                                    CURSOR, "beginRecord", MethodTypeDesc.of(CD_boolean, CD_int, CD_int, CD_Object));
                    code.ifThen(there -> writeAll(there, type, false, group.fields(), local));
                }
            }
        }
    }

    /** Loads where a column begins and how far its values are apart. */
    private CodeBuilder loadPlace(CodeBuilder code, int column) {
        return code.loadConstant(layout.offset(column)).loadConstant(layout.step(column));
    }

    private void read(CodeBuilder code, int field) {
        Column column = columns.get(field);
        code.aload(0);
        if (column.isPrimitive()) {
            MethodTypeDesc type = MethodTypeDesc.of(desc(column.javaType()), CD_int, CD_int, CD_int);
            loadPlace(code, column.first())
                    .loadConstant(column.first())
                    .invokevirtual(CURSOR, "read" + suffix(column), type);
        } else if (column.type() instanceof Type.Text) {
            if (!column.property().field().isOptional()) {
                code.aload(0);
            }
            loadPlace(code, column.first())
                    .loadConstant(field)
                    .invokevirtual(CURSOR, "readText", MethodTypeDesc.of(CD_String, CD_int, CD_int, CD_int));
            if (!column.property().field().isOptional()) {
                code.invokevirtual(CURSOR, "textOrEmpty", MethodTypeDesc.of(CD_String, CD_String));
            }
        } else if (isSmallEnum(column)) {
            loadPlace(code, column.first())
                    .loadConstant(field)
                    .invokevirtual(CURSOR, "readSmallEnum", MethodTypeDesc.of(CD_Object, CD_int, CD_int, CD_int))
                    .checkcast(desc(column.javaType()));
        } else {
            code.loadConstant(field)
                    .invokevirtual(CURSOR, "readObject", MethodTypeDesc.of(CD_Object, CD_int))
                    .checkcast(desc(column.javaType()));
        }
    }

    private void write(CodeBuilder code, int field, Consumer<CodeBuilder> value) {
        Column column = columns.get(field);
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
            value.accept(loadPlace(code, column.first()));
            code.invokevirtual(
                    CURSOR,
                    "write" + suffix(column),
                    MethodTypeDesc.of(CD_void, CD_int, CD_int, desc(column.javaType())));
        } else if (column.type() instanceof Type.Text) {
            value.accept(loadPlace(code, column.first()).loadConstant(field));
            code.invokevirtual(CURSOR, "writeText", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_int, CD_String));
        } else if (isSmallEnum(column)) {
            value.accept(loadPlace(code, column.first()).loadConstant(field));
            code.invokevirtual(
                    CURSOR, "writeSmallEnum", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_int, desc(Enum.class)));
        } else {
            code.loadConstant(field);
            value.accept(code);
            code.invokevirtual(CURSOR, "writeObject", MethodTypeDesc.of(CD_void, CD_int, CD_Object));
        }
    }

    private static boolean isSmallEnum(Column column) {
        return column.type() instanceof Type.Enumeration e
                && e.constants().size() <= 256
                && column.presence() == Column.NONE;
    }

    private static String suffix(Column column) {
        String name = column.javaType().getName();
        return column.javaType() == boolean.class
                ? "Bit"
                : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow(() -> new IllegalArgumentException(type + " is a hidden class"));
    }
}
