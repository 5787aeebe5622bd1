class Shells extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls JShell.create; --allow jdk=jdk.jshell
        jdk.jshell.JShell.create();
    }
}
