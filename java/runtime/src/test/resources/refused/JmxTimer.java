class JmxTimer extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new Timer; --allow jdk=javax.management.timer
        new javax.management.timer.Timer().start();
    }
}
