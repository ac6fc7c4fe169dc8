package io.slipstream.cluster.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.Joining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberMarkTest {
    @TempDir
    private Path folder;

    @Test
    void takesAnEmptyFolderOnlyForAMemberThatSaysWhyItIsEmpty() {
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.AGAIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no member")
                .hasMessageContaining("--form")
                .hasMessageContaining("--replace");
        assertAccepted(Joining.FORM);
        assertAccepted(Joining.REPLACE);
    }

    /** The cluster would begin empty beside it, as if nothing had been there. */
    @Test
    void refusesTheFolderOfAServiceOnOneMachine() throws IOException {
        Files.createFile(folder.resolve("segment-0000000000000001.journal"));
        for (Joining joining : Joining.values()) {
            assertThatThrownBy(() -> MemberMark.require(folder, 1, joining))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("holds the log of a service on one machine");
        }
    }

    @Test
    void takesAFolderWithALogOnlyForAMemberThatWasHereBefore() throws IOException {
        log();
        assertWhole();
        MemberMark.member(folder, 1);
        assertWhole();
    }

    private void assertWhole() {
        assertAccepted(Joining.AGAIN);
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.FORM))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not empty");
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.REPLACE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has its log");
    }

    @Test
    void refusesAFolderThatHasLostItsLog() throws IOException {
        MemberMark.member(folder, 1);
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.AGAIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has lost the log of member 1");
    }

    @Test
    void refusesTheFolderOfAnotherMember() throws IOException {
        log();
        MemberMark.member(folder, 2);
        for (Joining joining : Joining.values()) {
            assertThatThrownBy(() -> MemberMark.require(folder, 1, joining))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is the folder of 'member 2'");
        }
    }

    @Test
    void refusesAMemberWhoseReplacementWasNotCompleteUntilItIs() throws IOException {
        log();
        MemberMark.learner(folder, 1);
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.AGAIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--replace");
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.FORM)).isInstanceOf(IOException.class);
        assertAccepted(Joining.REPLACE);
        MemberMark.member(folder, 1);
        assertAccepted(Joining.AGAIN);
    }

    @Test
    void takesAFolderThatWasRestoredForAMemberThatWasHereBeforeIfThatCameToItsEnd() throws IOException {
        MemberMark.restored(folder, 1);
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.AGAIN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was not restored to the end");
        log();
        assertAccepted(Joining.AGAIN);
        assertThatThrownBy(() -> MemberMark.require(folder, 1, Joining.FORM)).isInstanceOf(IOException.class);
        assertThat(MemberMark.isRestored(folder, 1)).isTrue();
        MemberMark.member(folder, 1);
        assertThat(MemberMark.isRestored(folder, 1)).isFalse();
    }

    private void assertAccepted(Joining joining) {
        assertThatCode(() -> MemberMark.require(folder, 1, joining)).doesNotThrowAnyException();
    }

    private void log() throws IOException {
        Files.createDirectories(folder.resolve("cluster"));
        Files.createDirectories(folder.resolve("archive"));
        Files.createFile(folder.resolve("cluster").resolve("recording.log"));
        Files.createFile(folder.resolve("archive").resolve("archive.catalog"));
    }
}
