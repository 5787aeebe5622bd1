package harrier.vertx;

import harrier.ActorName;
import io.vertx.core.Completable;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.eventbus.impl.EventBusImpl;
import io.vertx.core.eventbus.impl.HandlerHolder;
import io.vertx.core.eventbus.impl.HandlerRegistration;
import io.vertx.core.eventbus.impl.MessageImpl;
import io.vertx.core.impl.utils.ConcurrentCyclicSequence;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A verticle's part of the event bus: the library's, which knows the verticle's own consumers and open questions, as that of a node of a
 * cluster does. All that is sent goes to the {@link BusActor}.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as the library's
final class LocalBus extends EventBusImpl {
    private static final String ANSWERS = "__vertx.reply.";

    private final VerticleActor verticle;
    /** How many consumers the verticle has had. */
    private int consumers;
    /** For which consumer a message is that is delivered. */
    private int target;

    LocalBus(LocalVertx vertx, VerticleActor verticle, List<Codec> codecs) {
        super(vertx);
        this.verticle = verticle;
        codecs.forEach(c -> c.register(codecManager));
        started = true;
    }

    // Consumers.

    /** A consumer, or who waits for an answer. */
    private static final class Holder<T> extends HandlerHolder<T> {
        /** 0 for who waits for an answer. */
        private int number;

        Holder(HandlerRegistration<T> handler, boolean localOnly, ContextInternal context) {
            super(handler, localOnly, context);
        }
    }

    @Override
    protected <T> HandlerHolder<T> createHandlerHolder(HandlerRegistration<T> registration, boolean localOnly, ContextInternal context) {
        return new Holder<>(registration, localOnly, context);
    }

    @Override
    protected <T> void onLocalRegistration(HandlerHolder<T> holder, Completable<Void> registered) {
        ((Holder<T>) holder).number = ++consumers;
        verticle.sendToBus(new Mail.Registered(holder.getHandler().address(), consumers));
        registered.succeed();
    }

    @Override
    protected <T> void onLocalUnregistration(HandlerHolder<T> holder, Completable<Void> unregistered) {
        verticle.sendToBus(new Mail.Unregistered(holder.getHandler().address(), ((Holder<T>) holder).number));
        unregistered.succeed();
    }

    // Sending.

    @Override
    protected <T> void sendOrPub(ContextInternal context, MessageImpl<?, T> message, DeliveryOptions options, Promise<Void> written) {
        String answers = message.replyAddress();
        Mail.Parcel parcel = new Mail.Parcel(message.address(), message.copyBeforeReceive().body(), list(message.headers()), message.isSend(),
            answers == null ? null : new Mail.Asker(verticle.self(), answers));
        if (message instanceof Answer<?, ?> answer) {
            verticle.passOn(answer.to, new Mail.Delivery(0, parcel));
        } else if (message.address().startsWith(ANSWERS)) {
            throw LocalVertx.unsupported("sending to the address of an answer", "call reply() of the message");
        } else {
            verticle.sendToBus(parcel);
        }
        written.tryComplete();
    }

    private static List<String> list(MultiMap headers) {
        if (headers == null || headers.isEmpty()) {
            return null;
        }
        List<String> list = new ArrayList<>();
        for (Map.Entry<String, String> header : headers) {
            list.add(header.getKey());
            list.add(header.getValue());
        }
        return list;
    }

    /** An answer. */
    private static final class Answer<U, V> extends MessageImpl<U, V> {
        private final ActorName to;

        Answer(MessageImpl<U, V> message, ActorName to) {
            super(message);
            this.to = to;
        }
    }

    // Receiving.

    /** What has arrived, for one consumer. */
    private static final class Arrived extends MessageImpl<Object, Object> {
        private final Mail.Parcel parcel;

        Arrived(Mail.Parcel parcel, LocalBus bus) {
            super(parcel.address(), multiMap(parcel.headers()), parcel.body(), Unchanged.ONLY, true, bus);
            this.parcel = parcel;
            if (parcel.answer() != null) {
                setReplyAddress(parcel.answer().address());
            }
        }

        private static MultiMap multiMap(List<String> headers) {
            MultiMap map = MultiMap.caseInsensitiveMultiMap();
            for (int i = 0; headers != null && i < headers.size(); i += 2) {
                map.add(headers.get(i), headers.get(i + 1));
            }
            return map;
        }

        /** The library has handlers get a copy; {@code send} is that of the message from here on. */
        @Override
        public MessageImpl<Object, Object> copyBeforeReceive() {
            send = parcel.isSend();
            return this;
        }

        @Override
        protected MessageImpl<?, ?> createReply(Object body, DeliveryOptions options) {
            return new Answer<>(super.createReply(body, options), parcel.answer().actor());
        }
    }

    /** The codec of what has arrived: the sender's was asked for a copy. */
    private enum Unchanged implements MessageCodec<Object, Object> {
        ONLY;

        @Override
        public void encodeToWire(Buffer buffer, Object body) {
            throw LocalVertx.unsupported("the wire");
        }

        @Override
        public Object decodeFromWire(int position, Buffer buffer) {
            throw LocalVertx.unsupported("the wire");
        }

        @Override
        public Object transform(Object body) {
            return body;
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }

    /** A message has arrived. */
    void deliver(Mail.Delivery m) {
        Mail.Parcel parcel = m.parcel();
        ConcurrentCyclicSequence<HandlerHolder> handlers = handlerMap.get(parcel.address());
        target = m.consumer();
        if (handlers != null && nextHandler(handlers, true) != null) {
            verticle.context().delivering(() -> deliverMessageLocally(new Arrived(parcel, this)));
        } else if (parcel.answer() != null) { // as the library answers for consumers that are gone, and for questions that are answered
            ReplyException failure = m.consumer() == 0 ? new ReplyException(ReplyFailure.NO_HANDLERS, "No handlers for address " + parcel.address())
                : new ReplyException(ReplyFailure.TIMEOUT, "Discarded the request. address: " + parcel.answer().address() + ", repliedAddress: "
                    + parcel.address());
            new Arrived(parcel, this).reply(failure);
        }
    }

    @Override
    protected HandlerHolder<?> nextHandler(ConcurrentCyclicSequence<HandlerHolder> handlers, boolean isLocal) {
        for (HandlerHolder<?> holder : handlers) {
            if (((Holder<?>) holder).number == target) {
                return holder;
            }
        }
        return null;
    }

    // What verticles share.

    private static AssertionError shared(String what, String mend) {
        return LocalVertx.unsupported(what + ", which all verticles share,", mend);
    }

    @Override
    public EventBus registerCodec(MessageCodec codec) {
        throw shared("a codec", "call registerCodec() in setUp() of the scenario");
    }

    @Override
    public EventBus unregisterCodec(String name) {
        throw shared("a codec", "leave it registered");
    }

    @Override
    public <T> EventBus registerDefaultCodec(Class<T> type, MessageCodec<T, ?> codec) {
        throw shared("a codec", "call registerDefaultCodec() in setUp() of the scenario");
    }

    @Override
    public EventBus unregisterDefaultCodec(Class type) {
        throw shared("a codec", "leave it registered");
    }

    @Override
    public EventBus codecSelector(Function<Object, String> selector) {
        throw shared("a codec", "name it in DeliveryOptions");
    }

    @Override
    public <T> EventBus addOutboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        throw shared("an interceptor", "call its code where messages are sent");
    }

    @Override
    public <T> EventBus addInboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        throw shared("an interceptor", "call its code where messages are received");
    }

    @Override
    public <T> MessageProducer<T> sender(String address) {
        throw LocalVertx.unsupported("a MessageProducer, whose futures know whether there are handlers,", "call send()");
    }

    @Override
    public <T> MessageProducer<T> sender(String address, DeliveryOptions options) {
        return sender(address);
    }

    @Override
    public <T> MessageProducer<T> publisher(String address) {
        return sender(address);
    }

    @Override
    public <T> MessageProducer<T> publisher(String address, DeliveryOptions options) {
        return sender(address);
    }
}
