/** One description of a record: its codec, flyweights, text, columns and indexes; depends on the JDK alone. */
module io.slipstream.data {
    requires static org.jspecify;
    requires transitive io.slipstream.core;

    exports io.slipstream.data;
    exports io.slipstream.data.annotation;
    exports io.slipstream.data.codec;
    exports io.slipstream.data.column;
    exports io.slipstream.data.container;
    exports io.slipstream.data.dump;
    exports io.slipstream.data.evolution;
    exports io.slipstream.data.index;
    exports io.slipstream.data.json;
    exports io.slipstream.data.list;
    exports io.slipstream.data.schema;
    exports io.slipstream.data.text;
}
