class Downloads extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new MLet; --allow jdk=javax.management.loading
        new javax.management.loading.MLet();
    }
}
