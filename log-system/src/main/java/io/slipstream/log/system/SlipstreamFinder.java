package io.slipstream.log.system;

/** Found by the JDK; nobody else need know it. */
public final class SlipstreamFinder extends System.LoggerFinder {
    /** Called by the JDK. */
    public SlipstreamFinder() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new SystemLog(name);
    }
}
