class Groups extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ThreadGroup.interrupt
        Thread.currentThread().getThreadGroup().interrupt();
    }
}
