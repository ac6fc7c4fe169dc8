/** A provider of SLF4J 2 that logs off the main flow. */
module io.slipstream.log.slf4j {
    requires static org.jspecify;
    requires io.slipstream.log;
    requires transitive org.slf4j;

    provides org.slf4j.spi.SLF4JServiceProvider with
            io.slipstream.log.slf4j.SlipstreamProvider;

    exports io.slipstream.log.slf4j;
}
