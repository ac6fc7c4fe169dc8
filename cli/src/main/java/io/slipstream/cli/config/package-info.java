/**
 * Options of a command from a file.
 *
 * <pre>
 *   arguments ──▶ ConfigOptions ──--config FILE──▶ ConfigFile ──what the arguments do not give──▶ options
 *                                                      │
 *                                                      └── file, line and key, for messages
 *   options ──--print-config──▶ PrintedConfig ──▶ such a file
 * </pre>
 */
@NullMarked
package io.slipstream.cli.config;

import org.jspecify.annotations.NullMarked;
