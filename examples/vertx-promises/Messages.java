package promises;

import static promises.Promised.soon;
import static promises.Promised.verticle;

import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import promises.Promised.Bench;

/** How the event bus delivers. */
final class Messages {
    static final List<Promised> PROMISES = List.of(
        Promised.of("messages of one sender arrive in their order", b -> beside(v -> echo(v, b, "a"), vertx ->
            List.of("1", "2", "3").forEach(m -> vertx.eventBus().send(b.address("a"), m))), "1 2 3"),
        Promised.of("messages of two senders arrive in any order", b -> verticle(vertx -> {
            vertx.deployVerticle(verticle(v -> b.tell(v, "a")));
            vertx.deployVerticle(verticle(v -> b.tell(v, "b")));
        }), "a b", "b a"),
        Promised.of("what is sent goes to one handler", b -> beside(v -> {
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "1"));
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "2"));
        }, vertx -> vertx.eventBus().send(b.address("a"), "x")), "1", "2"),
        Promised.of("what is published goes to all handlers", b -> beside(v ->
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "1")), vertx -> {
                vertx.eventBus().localConsumer(b.address("a"), m -> b.tell(vertx, "2"));
                vertx.eventBus().publish(b.address("a"), "x");
            }), "1 2", "2 1"),
        Promised.of("what nobody handles is lost", b -> verticle(vertx -> {
            vertx.eventBus().send(b.address("a"), "x");
            echo(vertx, b, "a");
            b.tell(vertx, "end");
        }), "end"),
        Promised.of("who asks is answered", b -> beside(v -> v.eventBus().<String>consumer(b.address("a"), m -> m.reply(m.body() + "!")),
            vertx -> ask(vertx, b, "a")), "?!", "TIMEOUT"),
        Promised.of("who asks nobody is told", b -> verticle(vertx -> ask(vertx, b, "a")), "NO_HANDLERS", "TIMEOUT"),
        Promised.of("who asks is told of a failure", b -> beside(v -> v.eventBus().consumer(b.address("a"), m -> m.fail(7, "no")),
            vertx -> vertx.eventBus().request(b.address("a"), "?").onFailure(e ->
                b.tell(vertx, ((ReplyException) e).failureType() + "," + ((ReplyException) e).failureCode()))),
            "RECIPIENT_FAILURE,7", "TIMEOUT,-1"),
        Promised.of("who is not answered is told in time", b -> beside(v -> v.eventBus().consumer(b.address("a"), m -> b.tell(v, "asked")),
            vertx -> ask(vertx, b, "a")), "asked TIMEOUT", "TIMEOUT asked"),
        Promised.of("an answer that is late is dropped", b -> beside(v -> v.eventBus().consumer(b.address("a"), m ->
            v.setTimer(20, id -> m.reply("late"))), vertx -> ask(vertx, b, "a")), "late", "TIMEOUT"),
        Promised.of("the first answer counts", b -> beside(v -> v.eventBus().consumer(b.address("a"), m -> {
            m.reply("1");
            m.reply("2");
        }), vertx -> ask(vertx, b, "a")), "1", "TIMEOUT"),
        Promised.of("an answer may ask in turn", b -> beside(v -> v.eventBus().consumer(b.address("a"), m ->
            m.replyAndRequest("1").onSuccess(answer -> b.tell(v, "" + answer.body()))), vertx ->
                vertx.eventBus().request(b.address("a"), "?").onSuccess(m -> {
                    b.tell(vertx, "" + m.body());
                    m.reply("2");
                })), "1 2", "1", ""),
        Promised.of("headers come along", b -> beside(v -> v.eventBus().consumer(b.address("a"), m ->
            b.tell(v, m.headers().get("KEY") + "," + m.address().endsWith("a") + "," + m.isSend() + "," + m.replyAddress())), vertx ->
                vertx.eventBus().publish(b.address("a"), "x", new DeliveryOptions().addHeader("key", "value"))), "value,true,false,null"),
        Promised.of("a message is as it was when it was sent", b -> beside(v -> v.eventBus().<JsonObject>consumer(b.address("a"), m ->
            b.tell(v, m.body().getString("key"))), vertx -> {
                JsonObject body = new JsonObject().put("key", "before");
                vertx.eventBus().send(b.address("a"), body);
                body.put("key", "after");
            }), "before"),
        Promised.of("a codec has objects of its class sent", b -> beside(v -> v.eventBus().<Note>consumer(b.address("a"), m ->
            b.tell(v, m.body().text())), vertx -> vertx.eventBus().send(b.address("a"), new Note("note"))), "note,sent"),
        Promised.of("what no codec is for is refused", b -> verticle(vertx -> {
            try {
                vertx.eventBus().send(b.address("a"), new Object());
            } catch (IllegalArgumentException e) {
                b.tell(vertx, "refused");
            }
        }), "refused"),
        Promised.of("who has unregistered gets nothing", b -> verticle(vertx -> {
            MessageConsumer<String> consumer = vertx.eventBus().consumer(b.address("a"), m -> b.tell(vertx, "got"));
            consumer.unregister().onSuccess(v -> {
                b.tell(vertx, "" + consumer.isRegistered());
                askNobody(vertx, b, "a");
            });
        }), "false nobody"),
        Promised.of("who unregisters may discard what has arrived", b -> verticle(vertx -> {
            MessageConsumer<String> consumer = vertx.eventBus().consumer(b.address("a"), m -> m.reply("got"));
            vertx.eventBus().request(b.address("a"), "?").onComplete(a ->
                b.tell(vertx, a.succeeded() ? "got" : a.cause().getMessage().startsWith("Discarded") ? "discarded" : "TIMEOUT"));
            consumer.unregister();
        }), "discarded", "TIMEOUT"),
        Promised.of("who has paused gets what has come when it resumes", b -> verticle(vertx -> {
            MessageConsumer<String> consumer = vertx.eventBus().consumer(b.address("a"));
            consumer.handler(m -> b.tell(vertx, m.body()));
            consumer.pause();
            vertx.eventBus().send(b.address("a"), "1");
            vertx.eventBus().send(b.address("a"), "2");
            vertx.eventBus().<String>consumer(b.address("b"), m -> {
                b.tell(vertx, "resume");
                consumer.resume();
            });
            vertx.eventBus().send(b.address("b"), "go");
        }), "resume 1 2"),
        Promised.of("a consumer that takes one at a time", b -> verticle(vertx -> {
            MessageConsumer<String> consumer = vertx.eventBus().consumer(b.address("a"));
            consumer.handler(m -> {
                b.tell(vertx, m.body());
                soon(vertx).onSuccess(v -> {
                    b.tell(vertx, "next");
                    consumer.fetch(1);
                });
            });
            consumer.pause().fetch(1);
            vertx.eventBus().send(b.address("a"), "1");
            vertx.eventBus().send(b.address("a"), "2");
        }), "1 next 2 next"));

    private Messages() {}

    /** A message of a class of the program's. */
    record Note(String text) {
        /** Has it sent. */
        static final class Codec implements MessageCodec<Note, Note> {
            @Override
            public void encodeToWire(Buffer buffer, Note note) {
                throw new IllegalStateException();
            }

            @Override
            public Note decodeFromWire(int position, Buffer buffer) {
                throw new IllegalStateException();
            }

            @Override
            public Note transform(Note note) {
                return new Note(note.text + ",sent");
            }

            @Override
            public String name() {
                return "note";
            }

            @Override
            public byte systemCodecID() {
                return -1;
            }
        }
    }

    /** A verticle that deploys another one, and then goes on. */
    private static Deployable beside(Promised.Step other, Promised.Step then) {
        return verticle(vertx -> vertx.deployVerticle(verticle(other)).onSuccess(id -> {
            try {
                then.run(vertx);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    private static void echo(Vertx vertx, Bench b, String address) {
        vertx.eventBus().<String>consumer(b.address(address), m -> b.tell(vertx, m.body()));
    }

    /** Asks where nobody should answer. */
    static void askNobody(Vertx vertx, Bench b, String address) {
        vertx.eventBus().request(b.address(address), "?").onComplete(a -> b.tell(vertx, a.succeeded() ? "somebody" : "nobody"));
    }

    /** Asks, and tells the witness of the answer. */
    static void ask(Vertx vertx, Bench b, String address) {
        Future<String> answer = vertx.eventBus().<String>request(b.address(address), "?", new DeliveryOptions().setSendTimeout(20))
            .map(m -> m.body());
        answer.onComplete(a -> b.tell(vertx, a.succeeded() ? a.result() : "" + ((ReplyException) a.cause()).failureType()));
    }
}
