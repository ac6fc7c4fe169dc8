package io.slipstream.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.api.Api;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final Contract CONTRACT = Contract.named("shapes", MethodHandles.lookup())
            .commands(Draw.class, Fill.class)
            .build();

    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Draw(Shape shape) implements Command<Drawn> {}

    record Fill(Square square) implements Command<Drawn> {}

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
