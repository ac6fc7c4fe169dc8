package io.slipstream.cli.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.http.api.Api;
import io.slipstream.service.client.Reply;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyValueApiTest {
    private static final Api API = KeyValueApi.create();

    @ParameterizedTest
    @CsvSource({
        "/commands/Set, +OK, '{\"stored\":true}'",
        "/commands/Delete, :0, '{\"deleted\":false}'",
        "/commands/Add, :-7, '{\"value\":-7}'",
        "/queries/Get, $-1, {}",
    })
    void readsItsReplies(String path, String resp, String json) {
        assertThat(read(path, resp)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({
        "/commands/Set, :1",
        "/commands/Set, $-1",
        "/commands/Delete, +OK",
        "/commands/Delete, :2",
        "/commands/Add, +OK",
        "/commands/Add, $-1",
        "/queries/Get, :1",
    })
    void takesNoReplyThatACommandOfAnotherTypeGot(String path, String resp) {
        assertThatThrownBy(() -> read(path, resp))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(resp);
    }

    private static String read(String path, String resp) {
        return API.at(path).toJson().apply(new Reply(1, (resp + "\r\n").getBytes(StandardCharsets.UTF_8)));
    }
}
