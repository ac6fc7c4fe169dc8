package io.slipstream.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.http.api.Api;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final Contract CONTRACT = Contract.named("shapes", MethodHandles.lookup())
            .commands(Draw.class, Fill.class, Label.class)
            .build();

    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Draw(Shape shape) implements Command<Drawn> {}

    record Fill(Square square) implements Command<Drawn> {}

    record Label(
            String text,
            int[] places,
            List<Square> squares,
            @MaxLength(9) String name,
            @MaxLength(8) int[] marks) implements Command<Drawn> {}

    record Drawn(int number) {}

    @Test
    void aVariantSaysWhichItIs() {
        assertThat(OpenApi.of(Api.of(CONTRACT), false))
                .contains(
                        "\"discriminator\":{",
                        "\"propertyName\":\"@type\"",
                        "\"Circle\":\"#/components/schemas/Circle\"",
                        "\"required\":[\"@type\",\"radius\"],\"additionalProperties\":false");
    }

    @Test
    void whatHasNoLimitHasNoneInTheDescription() {
        assertThat(OpenApi.of(Api.of(CONTRACT), false))
                .doesNotContain("at most 0 bytes", "\"maxItems\":0")
                .contains("\"text\":{\"type\":\"string\"}", "at most 9 bytes of UTF-8", "\"maxItems\":8");
    }

    @Test
    void namesItsSecuritySchemesOnlyIfTokensAreAskedFor() {
        assertThat(OpenApi.of(Api.of(CONTRACT), true))
                .contains("\"securitySchemes\":{\"bearer\":{", "\"security\":[{\"bearer\":[]},{\"basic\":[]}]");
        assertThat(OpenApi.of(Api.of(CONTRACT), false)).doesNotContain("securitySchemes", "\"security\"");
    }

    @Test
    void tellsOfEveryStatusThatAnOperationHas() {
        assertThat(OpenApi.of(Api.of(CONTRACT), false))
                .contains("\"400\":{", "\"413\":{", "\"421\":{", "\"500\":{", "\"501\":{", "\"503\":{");
    }
}
