class Opening extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Module.addReads; --allow jdk=java.lang.Module
        Opening.class.getModule().addReads(Object.class.getModule());
    }
}
