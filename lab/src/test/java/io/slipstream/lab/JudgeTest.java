package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.machine.MachineSheet;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {

    @Test
    void aPartThatDoesNotHoldDecidesBeforeOneThatCannotBeTold() {
        Verdict together = Verdict.all(Verdict.holds("a"), Verdict.cannotTell("b"), Verdict.doesNotHold("c"));
        assertThat(together).isEqualTo(Verdict.doesNotHold("a b c"));
        assertThat(Verdict.all(Verdict.holds("a"), Verdict.cannotTell("b")).kind())
                .isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void saysWhyWhenAFigureIsMissing() {
        Findings found = new Findings()
                .put("padded", 1, "ns/op", Sample.of(1))
                .put("padded", 2, "ns/op", Sample.of(1))
                .putMissing("side by side", 2, "no permission");
        assertThat(Judge.judge(Catalog.get("B2"), found, 2))
                .extracting(Verdict::kind, Verdict::reason)
                .satisfiesExactly(
                        kind -> assertThat(kind).isEqualTo(Verdict.Kind.CANNOT_TELL),
                        reason -> assertThat(String.valueOf(reason))
                                .startsWith("1 of 2 parts holds. Cannot be told here: No figure for side by side /"
                                        + " 2: no"
                                        + " permission. Holds: Padded"));
    }

    @Test
    void saysWhyWhenNothingWasMeasured() {
        Findings found = new Findings().putMissing("tmpfs", "", "there is no writable /dev/shm");
        assertThat(Judge.judge(Catalog.get("B25"), found, 2).reason()).contains("/dev/shm");
    }

    @Test
    void aClaimAboutManyProcessorsIsNotJudgedOnTwo() {
        Findings found = new Findings();
        for (String way :
                List.of("atomic increment", "synchronized", "atomic reference", "spin lock", "ReentrantLock")) {
            found.put(way, "all", "ns/op", Sample.of(way.equals("atomic increment") ? 10 : 20));
            found.put(way, "one", "ns/op", Sample.of(way.equals("synchronized") ? 4 : 10));
        }
        assertThat(Judge.judge(Catalog.get("B17"), found, 16).kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Judge.judge(Catalog.get("B17"), found, 2).kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void falseSharingHoldsForTheFiguresOfTheArticle() {
        Findings found = new Findings()
                .put("padded", 1, "ns/op", Sample.of(6))
                .put("padded", 2, "ns/op", Sample.of(6.1, 6.2))
                .put("side by side", 2, "ns/op", Sample.of(60, 70));
        assertThat(Judge.judge(Catalog.get("B2"), found, 2).kind()).isEqualTo(Verdict.Kind.HOLDS);
    }

    @Test
    void aDisturbedMachineTellsNothing() {
        Findings found = new Findings()
                .put("disk", "", "create µs", Sample.of(20))
                .put("tmpfs", "", "create µs", Sample.of(5))
                .put("disk", "", "delete µs", Sample.of(20))
                .put("tmpfs", "", "delete µs", Sample.of(5));
        assertThat(Judge.judge(Catalog.get("B25"), found, 2).kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Judge.judge(Catalog.get("B25"), found.putDisturbed("another", ""), 2)
                        .kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        Verdict verdict = Judge.judge(Catalog.get("B25"), found.putDisturbed("disk", ""), 2);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(verdict.reason()).contains("Others used the machine meanwhile");
    }

    @Test
    void aCaseThatWasDisturbedVoidsOnlyTheClaimsThatUseIt() {
        Findings found = falseSharing(10).putDisturbed("side by side", 2);
        Verdict verdict = Judge.judge(Catalog.get("B2"), found, 2);
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(verdict.reason())
                .startsWith("1 of 2 parts holds. Cannot be told here: Others used the machine meanwhile.")
                .contains(" Holds: Padded, two threads against one:");
    }

    @Test
    void aFigureThatIsMissingIsNotSaidToBeDisturbed() {
        Findings found = new Findings()
                .put("padded", 1, "ns/op", Sample.of(6))
                .put("padded", 2, "ns/op", Sample.of(6))
                .putDisturbed("side by side", 2)
                .putMissing("side by side", 2, "no permission");
        assertThat(Judge.judge(Catalog.get("B2"), found, 2).reason())
                .contains("Cannot be told here: No figure for side by side / 2: no permission. Holds:");
    }

    @Test
    void figuresOfDifferentJvmsAreNotCompared() {
        Findings found = falseSharing(10).putJvm("padded", 2, "JDK 17").putJvm("side by side", 2, "JDK 25");
        assertThat(Judge.judge(Catalog.get("B2"), found, 2))
                .extracting(Verdict::reason)
                .asString()
                .contains("Cannot be told here: side by side / 2 was measured on JDK 25 and padded / 2 on JDK 17,"
                        + " so their"
                        + " ratio says nothing.");
        Findings same = falseSharing(10).putJvm("padded", "", "JDK 17").putJvm("side by side", 2, "JDK 17");
        assertThat(Judge.judge(Catalog.get("B2"), same, 2).kind()).isEqualTo(Verdict.Kind.HOLDS);
    }

    @Test
    void falseSharingDoesNotHoldWhereNeighboursCostNothing() {
        Findings found = new Findings()
                .put("padded", 1, "ns/op", Sample.of(6))
                .put("padded", 2, "ns/op", Sample.of(6.1, 6.2))
                .put("side by side", 2, "ns/op", Sample.of(6, 6.3));
        assertThat(Judge.judge(Catalog.get("B2"), found, 2).kind()).isEqualTo(Verdict.Kind.DOES_NOT_HOLD);
    }

    @Test
    void aMetricRecordedWithAnXIsFoundThere() {
        Findings found = new Findings().put("Java", "", "ns/load @ 8192", Sample.of(1));
        assertThat(found.get("Java", 8192, "ns/load").median()).isEqualTo(1);
        assertThat(found.xs("ns/load")).containsExactly("8192");
    }

    @Test
    void whereThereAreDoubtsAVerdictMustStandWithWiderRanges() {
        MachineSheet virtual = MadeUp.machine("Made-up cloud", 8);
        assertThat(Judge.judge(Catalog.get("B2"), falseSharing(1.55), MadeUp.machine())
                        .kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        assertThat(Judge.judge(Catalog.get("B2"), falseSharing(1.55), virtual).kind())
                .isEqualTo(Verdict.Kind.CANNOT_TELL);
        Verdict far = Judge.judge(Catalog.get("B2"), falseSharing(10), virtual);
        assertThat(far.kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(far.reason()).contains("a virtual machine may move its processors");
        assertThat(Judge.judge(Catalog.get("B2"), falseSharing(10), MadeUp.machine())
                        .reason())
                .doesNotContain("doubts");
    }

    @Test
    void aFigureBesideAFixedLimitIsWidenedToo() {
        Findings near = new Findings()
                .put("long test", 1, "lost %", Sample.of(0))
                .put("long test", 2, "lost %", Sample.of(1.02))
                .put("short tests that passed", 2, "passed %", Sample.of(50));
        MachineSheet virtual = MadeUp.machine("Made-up cloud", 8);
        assertThat(Judge.judge(Catalog.get("B20"), near, MadeUp.machine()).kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        Verdict doubted = Judge.judge(Catalog.get("B20"), near, virtual);
        assertThat(doubted.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(doubted.reason()).contains("1.02 (0.927 to 1.12)");
    }

    @Test
    void aClaimAboutADiskIsDoubtedInAVirtualMachineAndOneAboutLoopsIsNot() {
        MachineSheet virtual = MadeUp.machine("Made-up cloud", 8);
        assertThat(Doubts.of(Catalog.get("B25").card(), virtual, 1))
                .singleElement()
                .asString()
                .contains("disk");
        assertThat(Doubts.of(Catalog.get("B28").card(), virtual, 1)).isEmpty();
    }

    @Test
    void threadsThatTakeEveryProcessorAreADoubt() {
        MachineSheet two = MadeUp.machine("none", 2);
        assertThat(Judge.judge(Catalog.get("B2"), falseSharing(1.55), two).kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        Verdict near = Judge.judge(Catalog.get("B2"), falseSharing(1.55).putThreads(2), two);
        assertThat(near.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        Verdict far = Judge.judge(Catalog.get("B2"), falseSharing(10).putThreads(2), two);
        assertThat(far.kind()).isEqualTo(Verdict.Kind.HOLDS);
        assertThat(far.reason()).contains("2 threads took all 2 processors");
        assertThat(Doubts.of(Catalog.get("B2").card(), MadeUp.machine("none", 3), 2))
                .isEmpty();
    }

    @Test
    void threadsThatWereNotPinnedAreADoubt() {
        Findings found = falseSharing(1.55).putWarning("in padded not all of its threads were pinned: no permission");
        Verdict verdict = Judge.judge(Catalog.get("B2"), found, MadeUp.machine());
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(verdict.reason()).contains("no permission");
    }

    @Test
    void inAContainerTheProcessorsThatCouldBeUsedCount() {
        Findings found = new Findings();
        for (String way :
                List.of("atomic increment", "synchronized", "atomic reference", "spin lock", "ReentrantLock")) {
            found.put(way, "all", "ns/op", Sample.of(way.equals("atomic increment") ? 10 : 20));
            found.put(way, "one", "ns/op", Sample.of(way.equals("synchronized") ? 4 : 10));
        }
        assertThat(Judge.judge(Catalog.get("B17"), found, MadeUp.machine("none", 8))
                        .kind())
                .isEqualTo(Verdict.Kind.HOLDS);
        Verdict inContainer = Judge.judge(Catalog.get("B17"), found, MadeUp.machine("none", 2));
        assertThat(inContainer.kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
        assertThat(inContainer.reason()).contains("here are 2");
    }

    private static Findings falseSharing(double times) {
        return new Findings()
                .put("padded", 1, "ns/op", Sample.of(6))
                .put("padded", 2, "ns/op", Sample.of(6))
                .put("side by side", 2, "ns/op", Sample.of(6 * times));
    }
}
