package io.slipstream.service.gateway;

import io.slipstream.service.pressure.PressureGauge;

/** Hears how full a gateway is. */
@FunctionalInterface
public interface Pressure {
    /** Does not hear it. */
    Pressure UNHEARD = (_, _, _) -> {};

    /**
     * The level is another one; called by the gateway's thread at each change.
     *
     * @param pending how many commands wait
     * @param limit   how many can be answered in time
     */
    void onPressure(PressureGauge.Level level, long pending, long limit);
}
