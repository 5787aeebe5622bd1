/** What a behaviour may do beside changing into another one. */
interface Context<M> {
    Ref<M> getSelf();

    <T> void tell(Ref<T> to, T message);
}
