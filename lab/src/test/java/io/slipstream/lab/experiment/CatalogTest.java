package io.slipstream.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogTest {

    @Test
    void anIdThatIsLikeNoneNamesNone() {
        assertThatThrownBy(() -> Catalog.get("ZZ"))
                .hasMessage("no experiment or group 'ZZ'. 'slipstream lab list'" + " shows them all.");
    }

    @Test
    void anUnknownIdNamesTheNearest() {
        assertThatThrownBy(() -> Catalog.select(List.of("B3", "thraeds")))
                .hasMessageContaining("'thraeds'")
                .hasMessageContaining("Did you mean threads?");
        assertThatThrownBy(() -> Catalog.get("B33"))
                .isInstanceOf(Catalog.UnknownId.class)
                .hasMessageContaining("Did you mean B3");
    }

    @Test
    void idsGroupsAndAllMayBeMixedAndComeOnceInOrder() {
        assertThat(Catalog.select(List.of("b3", "machine", "M1")).stream()
                        .map(e -> e.card().id()))
                .containsExactly("M1", "M2", "B3");
        assertThat(Catalog.select(List.of("all"))).isEqualTo(Catalog.all());
        assertThat(Catalog.select(List.of())).isEqualTo(Catalog.all());
    }
}
