/** What all services that the command serves have in common. */
@NullMarked
package io.slipstream.cli.service;

import org.jspecify.annotations.NullMarked;
