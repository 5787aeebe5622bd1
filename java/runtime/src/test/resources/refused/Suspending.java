class Suspending extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ThreadGroup.suspend
        Thread.currentThread().getThreadGroup().suspend();
    }
}
