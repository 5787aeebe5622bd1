class Layers extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ModuleLayer.boot; --allow jdk=java.lang.ModuleLayer
        ModuleLayer.boot().findLoader("java.base");
    }
}
