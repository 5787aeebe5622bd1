package org.apache.pekko.event;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.util.ReentrantGuard;
import scala.collection.immutable.Seq;

/** The library's class of this name, in checks: it drops what is published, and takes no subscribers. It has no state. */
public abstract class EventStream implements LoggingBus {
    /** Refuses a subscriber. */
    public abstract boolean subscribe(ActorRef subscriber, Class<?> channel);

    @Override
    public boolean subscribe(Object subscriber, Object channel) {
        return subscribe((ActorRef) subscriber, (Class<?>) channel);
    }

    public boolean unsubscribe(ActorRef subscriber, Class<?> channel) {
        return false;
    }

    @Override
    public boolean unsubscribe(Object subscriber, Object channel) {
        return false;
    }

    public void unsubscribe(ActorRef subscriber) {}

    @Override
    public void unsubscribe(Object subscriber) {}

    @Override
    public void publish(Object event) {}

    // The fields of the trait.

    @Override
    public ReentrantGuard org$apache$pekko$event$LoggingBus$$guard() {
        return null;
    }

    @Override
    public void org$apache$pekko$event$LoggingBus$_setter_$org$apache$pekko$event$LoggingBus$$guard_$eq(ReentrantGuard guard) {}

    @Override
    public Seq<ActorRef> org$apache$pekko$event$LoggingBus$$loggers() {
        return null;
    }

    @Override
    public void org$apache$pekko$event$LoggingBus$$loggers_$eq(Seq<ActorRef> loggers) {}

    @Override
    public int org$apache$pekko$event$LoggingBus$$_logLevel() {
        return 0;
    }

    @Override
    public void org$apache$pekko$event$LoggingBus$$_logLevel_$eq(int level) {}

    @Override
    public int logLevel() {
        return 0;
    }
}
