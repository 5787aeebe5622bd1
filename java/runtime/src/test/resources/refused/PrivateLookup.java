import java.lang.invoke.*;

class PrivateLookup extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls MethodHandles.privateLookupIn
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    }
}
