class Signals extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new Signal; --allow jdk=sun.misc
        sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
    }
}
