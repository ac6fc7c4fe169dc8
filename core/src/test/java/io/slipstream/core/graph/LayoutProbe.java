package io.slipstream.core.graph;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/**
 * Prints where the JVM that it runs in has laid out the fields of some classes: what
 * {@code jcmd PID VM.classes -verbose} says of them, a line {@code class field offset} for each.
 */
final class LayoutProbe {
    private static final String BEGIN_OF_FIELDS = " - ---- non-static fields";
    private static final String END_OF_FIELDS = " - non-static oop maps";

    private LayoutProbe() {}

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class.forName(name);
        }
        String all = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmClasses",
                        new Object[] {new String[] {"-verbose"}},
                        new String[] {String[].class.getName()});
        for (String name : names) {
            int begin = all.indexOf(BEGIN_OF_FIELDS, all.indexOf("\n" + name + " {"));
            String fields = all.substring(begin, all.indexOf(END_OF_FIELDS, begin));
            // A line looks like " - 'hot' 'J' @16".
            fields.lines()
                    .skip(1)
                    .map(line -> line.split("'"))
                    .forEach(parts -> System.out.println(name + " " + parts[1] + parts[4].replace("@", "")));
        }
    }
}
