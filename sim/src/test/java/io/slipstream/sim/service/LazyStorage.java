package io.slipstream.sim.service;

import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;

/** Says that something is forced, and does not force it. */
final class LazyStorage extends ForwardingStorage {
    LazyStorage(Storage storage) {
        super(storage);
    }

    @Override
    protected StorageFile wrap(StorageFile file) {
        return new LazyFile(file);
    }

    private static final class LazyFile extends ForwardingStorageFile {
        LazyFile(StorageFile file) {
            super(file);
        }

        @Override
        public void force() {
            // That is what is lazy about it.
        }
    }
}
