/**
 * Settings: one small value, from code or from a properties file whose unknown keys are refused with the nearest
 * known one.
 */
@NullMarked
package io.slipstream.log.config;

import org.jspecify.annotations.NullMarked;
