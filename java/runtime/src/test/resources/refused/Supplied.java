import java.util.concurrent.*;

class Supplied extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: hands a task to the threads of the JDK
        CompletableFuture.supplyAsync(() -> 1);
    }
}
