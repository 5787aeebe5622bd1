package org.apache.pekko.pattern;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.util.Timeout;
import scala.Function1;

/** The library's class of this name, in checks: asks the questions of the ask pattern. */
public final class PromiseActorRef$ {
    public static final PromiseActorRef$ MODULE$ = new PromiseActorRef$();

    private PromiseActorRef$() {}

    public PromiseActorRef apply(ActorRefProvider provider, Timeout timeout, Object asked, String messageClass, String prefix, ActorRef sender,
            Function1<String, Throwable> late) {
        String text = "Ask timed out on [" + asked + "] after [" + timeout.duration().toMillis() + " ms].";
        return new PromiseActorRef(provider.question(timeout.duration(), () -> late.apply(text)));
    }

    public ActorRef apply$default$6() {
        return null;
    }

    public Function1<String, Throwable> apply$default$7() {
        return AskTimeoutException::new;
    }
}
