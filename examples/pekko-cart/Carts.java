package cart;

import harrier.Allow;
import harrier.Final;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A shopping cart with event sourcing, as in Pekko's samples, without a cluster: org.apache.pekko:pekko-persistence-typed_2.13, unmodified.
 * {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-cart --classpath 'examples/pekko-cart/lib/*'
 * }</pre>
 *
 * <p>Expected: verified; violated with {@code --set answersEarly=true}, as the cart may crash before it has stored what it has accepted,
 * and with {@code --set mustAnswer=true}, as it may crash before it answers.
 */
@Allow({"randomness=seed:1", "statics=frozen"}) // the library tells writers of events apart by a counter and UUIDs
public final class Carts extends PekkoScenario {
    @Parameter int shoppers = 2;
    @Parameter int crashes = 1;
    @Parameter("whether the cart answers before the event is stored")
    boolean answersEarly = false;
    @Parameter("whether what is stored must have been answered: it need not, as the cart may crash in between")
    boolean mustAnswer = false;

    private ActorRef<Cart.Command> cart;
    private List<ActorRef<Cart.Answer>> people;

    @Override protected void setUp() {
        cart = spawn(Cart.create("cart-1", answersEarly), "cart");
        people = spawn("shopper", shoppers, i -> Shopper.create(cart, "item" + i));
        faults().crashes(crashes, "cart");
    }

    @Final("what was accepted is in the cart")
    boolean nothingIsLost() {
        return people.stream().allMatch(p ->
            state(cart, Cart.State.class).items().containsAll(state(p, Shopper.class).accepted()));
    }

    @Final("who has something in the cart was told so")
    boolean allAreTold() {
        return !mustAnswer || people.stream().allMatch(p -> {
            Shopper shopper = state(p, Shopper.class);
            return shopper.accepted().contains(shopper.item()) || !state(cart, Cart.State.class).items().contains(shopper.item());
        });
    }
}
