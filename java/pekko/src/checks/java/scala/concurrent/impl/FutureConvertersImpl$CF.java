package scala.concurrent.impl;

import harrier.pekko.LaterStage;
import scala.concurrent.Future;

/** The class of Scala's library of this name, in checks. */
public final class FutureConvertersImpl$CF<T> extends LaterStage<T> {
    public FutureConvertersImpl$CF(Future<T> wrapped) {
        super(wrapped);
    }
}
