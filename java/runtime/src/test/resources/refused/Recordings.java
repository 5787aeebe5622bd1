class Recordings extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new Recording; --allow jdk=jdk.jfr
        new jdk.jfr.Recording().start();
    }
}
