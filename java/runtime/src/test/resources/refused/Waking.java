class Waking extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Thread.interrupt
        Thread.currentThread().interrupt();
    }
}
