class Exits extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Runtime.halt
        Runtime.getRuntime().halt(0);
    }
}
