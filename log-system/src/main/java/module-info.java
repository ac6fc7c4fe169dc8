/** A finder of System.Logger that logs off the main flow: what the JDK itself logs goes there, too. */
module io.slipstream.log.system {
    requires static org.jspecify;
    requires io.slipstream.log;

    provides java.lang.System.LoggerFinder with
            io.slipstream.log.system.SlipstreamFinder;

    exports io.slipstream.log.system;
}
