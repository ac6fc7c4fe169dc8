package io.slipstream.data.schema;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.annotation.Since;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be is refused when the schema is made, by a message that names the field. */
class SchemaRefusalTest {
    record UnknownType(long id, Set<String> tags) {}

    record UnknownClass(long id, Thread thread) {}

    record Wildcard(List<? extends Number> numbers) {}

    record RawMap(Map<String, String> map) {}

    record Generic<T>(T value) {}

    record IdTwice(@Id(3) long a, @Id(3) long b) {}

    record Cycle(Other other) {}

    record Other(Cycle cycle) {}

    record Money(BigDecimal amount) {}

    record OptionalPrimitive(@Optional long a) {}

    record NoDefault(long id, @Since(2) LocalDate day) {}

    record IdOutOfOrder(@Id(2) long a, @Id(1) @Since(2) long b) {}

    @Removed(name = "a", id = 2, type = "long", in = 2)
    record NameReused(String b, long a) {}

    @Removed(name = "a", id = 2, type = "tong(x)", in = 2)
    record WrongType(String b) {}

    record TooLong(@Length(10_000) long[] values) {}

    record LimitOnALong(@MaxLength(3) long value) {}

    interface SetterAlone {
        long a();

        void setB(long b);
    }

    static class Final {
        final long a = 1;
    }

    static class WithoutConstructor {
        long a;

        WithoutConstructor(long a) {
            this.a = a;
        }
    }

    record SameEnums(Side side, One.Side other) {}

    enum Side {
        BUY
    }

    record One() {
        enum Side {
            LEFT
        }
    }

    sealed interface SameIds {
        @Id(1)
        record A() implements SameIds {}

        @Id(1)
        record B() implements SameIds {}
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(UnknownType.class, "UnknownType.tags: java.util.Set"),
                Arguments.of(
                        UnknownClass.class, "UnknownClass.thread: java.lang.Thread is not a type that a schema knows"),
                Arguments.of(Wildcard.class, "Wildcard.numbers: ? extends java.lang.Number"),
                Arguments.of(RawMap.class, "RawMap.map: java.util.Map"),
                Arguments.of(Generic.class, "has type parameters"),
                Arguments.of(IdTwice.class, "IdTwice.b: id 3 is also that of a"),
                Arguments.of(Cycle.class, "Cycle.other: a cycle without an end"),
                Arguments.of(Money.class, "Money.amount: a BigDecimal needs @Scale"),
                Arguments.of(OptionalPrimitive.class, "OptionalPrimitive.a: a primitive cannot be absent"),
                Arguments.of(
                        NoDefault.class,
                        "NoDefault.day: added in version 2, but bytes of earlier versions have no value"),
                Arguments.of(
                        IdOutOfOrder.class, "IdOutOfOrder.a: id 2 of version 1 stands behind id 1 (b) of version 2"),
                Arguments.of(NameReused.class, "NameReused.a: two fields have this name"),
                Arguments.of(WrongType.class, "WrongType.a: \"tong(x)\" is not a type"),
                Arguments.of(TooLong.class, "TooLong.values: the fixed fields take more than 65535 bytes"),
                Arguments.of(LimitOnALong.class, "LimitOnALong.value: @MaxLength is for strings"),
                Arguments.of(SetterAlone.class, "SetterAlone.b: has a setter, but no getter"),
                Arguments.of(Final.class, "Final.a: final"),
                Arguments.of(WithoutConstructor.class, "has no constructor without parameters"),
                Arguments.of(SameEnums.class, "are both named Side; give one of them @Name"),
                Arguments.of(SameIds.class, "A both have the id 1"),
                Arguments.of(String.class, "java.lang.String is not a type"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesWithAMessageThatNamesTheField(Class<?> type, String message) {
        assertThatThrownBy(() -> Schema.of(type))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enum Side { A };enum Side { B, A } | line 5 defines Side for the second time",
                "record R id 2 {;1 int a;} | line 4 defines R for the second time",
                "record A id 4 {;};record B id 4 {;};union U id 5 { A, B } | U: A and B both have the id 4"
            })
    void refusesTextThatDefinesOneThingTwice(String more, String message) {
        String text = "record R id 1 {\n1 Side side\n}\n" + more.replace(';', '\n') + "\n";
        String whole = text.contains("enum") ? text : text + "enum Side { A }\n";
        assertThatThrownBy(() -> Definitions.parse(whole))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining(message);
    }
}
