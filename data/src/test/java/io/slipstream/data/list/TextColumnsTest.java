package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.column.LongGroups;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An absent text takes part in nothing; a text that was never set is the empty one. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class TextColumnsTest {
    interface Note {
        long id();

        Note id(long value);

        String text();

        Note text(String value);

        @Optional
        @Nullable
        String tag();

        Note tag(@Nullable String value);
    }

    private final HugeList<Note> list;

    TextColumnsTest(ListLayout layout) {
        this.list = layout.of(Note.class);
    }

    @AfterEach
    void close() {
        list.close();
    }

    private void add(long id, @Nullable String text, @Nullable String tag) {
        Note note = list.append().id(id).tag(tag);
        if (text != null) {
            note.text(text);
        }
    }

    @Test
    void anAbsentTextTakesPartInNothing() {
        add(1, "a", null);
        add(2, "a", "x");
        add(3, "a", "");
        add(4, "a", null);
        assertThat(list.longs("tag").count()).isEqualTo(2);
        assertThat(list.longs("tag").min()).isEqualTo(list.codeOf("tag", "x"));
        assertThat(list.longs("tag").max()).isEqualTo(list.codeOf("tag", ""));
        assertThat(list.longs("tag").where(code -> code >= 0).count()).isEqualTo(2);
        assertThat(list.longs("tag").countBetween(0, 9)).isEqualTo(2);
        assertThat(list.longs("tag").sortedRows()).containsExactly(1, 2);
        LongGroups groups = list.longs("id").groupBy(list.longs("tag"));
        assertThat(groups.keys()).containsExactly(list.codeOf("tag", "x"), list.codeOf("tag", ""));
        assertThat(list.longs("tag").groupBy(list.longs("id")).size()).isEqualTo(2);
        assertThat(list.whereText("tag", "").count()).isEqualTo(1);
        assertThat(list.textOf("tag", 0)).isNull();
    }

    @Test
    void aColumnOfAbsentTextsHasNoLeastValue() {
        add(1, "a", null);
        assertThatThrownBy(() -> list.longs("tag").min()).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void aTextThatWasNeverSetIsTheEmptyOne() {
        add(1, null, null);
        add(2, "", null);
        add(3, "a", null);
        assertThat(list.get(0).text()).isEmpty();
        assertThat(list.whereText("text", "").count()).isEqualTo(2);
        assertThat(list.whereText("text", "a").count()).isEqualTo(1);
        assertThat(list.whereText("text", "b").count()).isZero();
        LongGroups groups = list.longs("id").groupBy(list.longs("text"));
        assertThat(groups.count(list.codeOf("text", ""))).isEqualTo(2);
        assertThat(list.textOf("text", 0)).isEmpty();
        assertThat(list.get(0)).asString().isEqualTo("Note[id=1, tag=null, text=]");
    }
}
