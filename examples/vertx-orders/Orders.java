package orders;

import harrier.Invariant;
import harrier.Parameter;
import harrier.vertx.VertxScenario;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;

/**
 * Shops that order from a stock by the event bus, as verticles of Vert.x: io.vertx:vertx-core, unmodified. {@code make libraries} fetches
 * it; then:
 *
 * <pre>{@code
 * harrier check examples/vertx-orders --classpath 'examples/vertx-orders/lib/*'
 * }</pre>
 *
 * <p>Expected: verified; violated with {@code --set forgets=true}, as the answer to a shop that asks once more may just be late.
 */
public final class Orders extends VertxScenario {
    @Parameter int shops = 1;
    @Parameter("whether the stock sells again to an order that it knows")
    boolean forgets = false;

    @Override protected void setUp() {
        deploy("main", new Main(shops, forgets));
    }

    /** Deploys the stock, and then shops. */
    static final class Main extends AbstractVerticle {
        private final int shops;
        private final boolean forgets;

        Main(int shops, boolean forgets) {
            this.shops = shops;
            this.forgets = forgets;
        }

        @Override public void start(Promise<Void> started) {
            vertx.deployVerticle(new Stock(shops, forgets)).onSuccess(id -> {
                for (int i = 1; i <= shops; i++) {
                    vertx.deployVerticle(new Shop("order " + i));
                }
            }).<Void>mapEmpty().onComplete(started);
        }
    }

    @Invariant("no item is sold twice to an order")
    boolean soldOnce() {
        return verticles(Stock.class).allMatch(s -> s.items() == shops - s.orders());
    }

    @Invariant("no shop is told that nothing is left")
    boolean enough() {
        return verticles(Shop.class).noneMatch(s -> s.outcome().equals("sold out"));
    }
}
