/**
 * Spring Boot on the log of the process, {@link io.slipstream.log.LogSystem#shared}: {@code logging.level.*} and {@code
 * /actuator/loggers} set its levels, and what Spring, Tomcat and libraries log by SLF4J, Commons Logging, Log4j or
 * {@code java.util.logging} gets there.
 */
@NullMarked
package io.slipstream.log.spring;

import org.jspecify.annotations.NullMarked;
