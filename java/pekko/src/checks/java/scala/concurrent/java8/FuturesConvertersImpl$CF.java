package scala.concurrent.java8;

import harrier.pekko.LaterStage;
import scala.concurrent.Future;

/** The class of scala-java8-compat of this name, in checks. */
public final class FuturesConvertersImpl$CF<T> extends LaterStage<T> {
    public FuturesConvertersImpl$CF(Future<T> wrapped) {
        super(wrapped);
    }
}
