import harrier.Actor;
import harrier.Handler;

/** The glue: an actor whose local state is its present behaviour, with what that has captured. */
class BehaviorActor<M> extends Actor implements Context<M> {
    private Behavior<M> behavior;

    BehaviorActor(Behavior<M> first) {
        behavior = first;
    }

    @Handler
    @SuppressWarnings("unchecked")
    void on(Object message) {
        Behavior<M> next = behavior.receive(this, (M) message);
        if (next != null) {
            behavior = next;
        }
    }

    @Override
    public Ref<M> getSelf() {
        return new Ref<>(self());
    }

    @Override
    public <T> void tell(Ref<T> to, T message) {
        send(to.name(), message);
    }
}
