/**
 * Runs verticles of Vert.x as actors of harrier: {@link harrier.vertx.VertxScenario} deploys them. Each is one actor
 * ({@code VerticleActor}), with a {@code Vertx} ({@code LocalVertx}), a context ({@code LocalContext}) and an event bus ({@code LocalBus})
 * of its own, which are the library's where they can be. What verticles share goes by way of one more actor ({@code BusActor}).
 */
package harrier.vertx;
