package io.slipstream.lab.experiment.data;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.lab.Round;
import org.junit.jupiter.api.Test;

class SerialisationTest {

    @Test
    void aReaderThatReadsNothingIsFoundOut() throws Exception {
        Serialisation.Messages messages = new Serialisation.Messages();
        messages.use(new Serialisation.Way() {
            @Override
            public int write(Serialisation.Thing thing) {
                return 0;
            }

            @Override
            public Serialisation.Thing read() {
                return new Serialisation.Thing();
            }
        });

        assertThatThrownBy(messages::check).isInstanceOf(Round.WrongResult.class);
    }
}
