package orders;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Set;

/** Sells items, one to an order, as long as there are any. */
final class Stock extends AbstractVerticle {
    /** Whether it sells to an order that it knows once more: a mistake. */
    private final boolean forgets;
    private final Set<String> orders = new HashSet<>();
    private int items;

    Stock(int items, boolean forgets) {
        this.items = items;
        this.forgets = forgets;
    }

    @Override
    public void start() {
        vertx.eventBus().<JsonObject>consumer("stock", this::sell);
    }

    private void sell(Message<JsonObject> request) {
        String order = request.body().getString("order");
        if (orders.add(order) || forgets) {
            if (items == 0) {
                request.fail(410, "sold out");
                return;
            }
            items--;
        }
        request.reply("sold");
    }

    int items() {
        return items;
    }

    int orders() {
        return orders.size();
    }
}
