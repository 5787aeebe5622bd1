package cart;

import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Adds an item to a cart, checks out when that is accepted, and keeps what it was told. */
final class Shopper extends AbstractBehavior<Cart.Answer> {
    private final ActorRef<Cart.Command> cart;
    private final String item;
    private boolean hasCheckedOut;
    /** What it was told to be in the cart. */
    private final Set<String> accepted = new TreeSet<>();

    private Shopper(ActorContext<Cart.Answer> context, ActorRef<Cart.Command> cart, String item) {
        super(context);
        this.cart = cart;
        this.item = item;
        cart.tell(new Cart.Add(item, context.getSelf()));
    }

    static Behavior<Cart.Answer> create(ActorRef<Cart.Command> cart, String item) {
        return Behaviors.setup(context -> new Shopper(context, cart, item));
    }

    @Override
    public Receive<Cart.Answer> createReceive() {
        return newReceiveBuilder().onMessage(Cart.Accepted.class, a -> {
            accepted.addAll(a.cart().items());
            if (!hasCheckedOut) {
                hasCheckedOut = true;
                cart.tell(new Cart.CheckOut(getContext().getSelf()));
            }
            return this;
        }).onMessage(Cart.Rejected.class, r -> this).build();
    }

    String item() {
        return item;
    }

    Set<String> accepted() {
        return accepted;
    }
}
