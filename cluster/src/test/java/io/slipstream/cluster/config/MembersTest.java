package io.slipstream.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembersTest {
    private final Properties properties = new Properties();

    @Test
    void readsMembersAndTellsClientsWhereTheyAre() {
        properties.setProperty("member.0", "a:9000");
        properties.setProperty("member.1", "b:9100");
        properties.setProperty("member.2", "c:9200");
        Members members = Members.of(properties);
        assertThat(members.clients()).isEqualTo("a:9000,b:9100,c:9200");
        assertThat(members.majority()).isEqualTo(2);
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstMember(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("members");
        Files.writeString(file, "\uFEFFmember.0 = a:9000\nmember.1 = b:9100\n");
        assertThat(Members.load(file).clients()).isEqualTo("a:9000,b:9100");
    }

    @Test
    void saysWhichMemberIsMissing() {
        properties.setProperty("member.0", "a:9000");
        properties.setProperty("member.2", "c:9200");
        assertThatThrownBy(() -> Members.of(properties)).hasMessageContaining("there are 2, of which 1 follow");
    }

    @Test
    void saysWhichAddressIsNone() {
        properties.setProperty("member.0", "a:nine");
        assertThatThrownBy(() -> Members.of(properties)).hasMessage("member.0 is HOST:PORT, not a:nine");
    }
}
