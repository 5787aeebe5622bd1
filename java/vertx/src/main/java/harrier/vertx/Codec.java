package harrier.vertx;

import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.impl.CodecManager;

/**
 * A codec of the event bus.
 *
 * @param type whose objects it is for unless a message names another codec; null if messages have to name it
 */
record Codec(Class<?> type, MessageCodec<?, ?> codec) {
    @SuppressWarnings("unchecked")
    void register(CodecManager codecs) {
        if (type == null) {
            codecs.registerCodec(codec);
        } else {
            codecs.registerDefaultCodec((Class<Object>) type, (MessageCodec<Object, ?>) codec);
        }
    }
}
