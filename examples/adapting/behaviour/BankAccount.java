import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;

/**
 * An account, written as behaviours that change into each other, and customers that use it at the same time.
 *
 * <p>Expected: verified.
 */
public class BankAccount extends Scenario {
    @Parameter int customers = 2;

    sealed interface Command {}

    record Deposit(int amount, Ref<Reply> from) implements Command {}

    record Withdraw(int amount, Ref<Reply> from) implements Command {}

    record Reply(boolean done) {}

    /** An account with some money. The balance is what the lambda captures; there are no fields. */
    static Behavior<Command> account(int balance) {
        return (context, command) -> {
            if (command instanceof Deposit d) {
                context.tell(d.from(), new Reply(true));
                return account(balance + d.amount());
            }
            Withdraw w = (Withdraw) command;
            boolean enough = w.amount() <= balance;
            context.tell(w.from(), new Reply(enough));
            return enough ? account(balance - w.amount()) : Behavior.same();
        };
    }

    /** Pays in once, and takes out twice. */
    static class Customer extends Actor {
        private final ActorName account;
        private final int amount;
        private int requests;
        private int paidIn;
        private int paidOut;

        Customer(ActorName account, int amount) {
            this.account = account;
            this.amount = amount;
        }

        @Override
        protected void start() {
            send(account, new Deposit(amount, new Ref<>(self())));
        }

        @Handler
        void on(Reply reply) {
            if (requests == 0) {
                paidIn = amount;
            } else if (reply.done()) {
                paidOut += amount;
            }
            if (++requests <= 2) {
                send(account, new Withdraw(amount, new Ref<>(self())));
            }
        }
    }

    @Override
    protected void setUp() {
        ActorName account = create("account", new BehaviorActor<>(account(0)));
        create("customer", customers, i -> new Customer(account, 10 * (i + 1)));
    }

    @Invariant("nobody takes out what is not there")
    boolean covered() {
        int out = actors(Customer.class).mapToInt(c -> c.paidOut).sum();
        // Money is on its way as long as the reply is.
        return out <= actors(Customer.class).mapToInt(c -> c.amount).sum();
    }
}
