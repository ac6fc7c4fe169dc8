package io.slipstream.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class ReportTest {
    @Test
    @ResourceLock(Resources.LOCALE)
    void isReadWhereverItWasWritten() {
        Locale before = Locale.getDefault();
        Report report = new Report(1, 2, false, true, 1_234_567, -5, 3, 1L << 40, 4, "17,41207", 1, 2);
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(Report.of(report.line())).isEqualTo(report);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void isReadFromAMemberOfAnEarlierAndOfALaterVersion() {
        Report report = new Report(0, 0, true, true, 7, 9, 1, 640, 0, "-", 3, 4);
        String earlier = report.line().replaceAll(" version .*", "");
        assertThat(Report.of(earlier)).isEqualTo(new Report(0, 0, true, true, 7, 9, 1, 640, 0, "-", -1, -1));
        assertThat(Report.of(report.line() + " mood good")).isEqualTo(report);
    }
}
