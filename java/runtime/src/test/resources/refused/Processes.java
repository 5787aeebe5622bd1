class Processes extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ProcessHandle.current; --allow jdk=java.lang.ProcessHandle
        ProcessHandle.current().destroy();
    }
}
