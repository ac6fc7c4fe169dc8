/** Text that people write: files of settings, of users and of secrets. */
@NullMarked
package io.slipstream.core.text;

import org.jspecify.annotations.NullMarked;
