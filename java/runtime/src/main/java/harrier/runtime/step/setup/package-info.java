/**
 * Setting a scenario up, which gives the first local states and messages.
 *
 * <p>{@link harrier.runtime.step.setup.ScenarioSetUp} finds the class of the scenario, makes an object of it and sets its parameters.
 * {@link harrier.runtime.step.setup.SetUp} runs {@code setUp} on it. What that creates and sends is collected by
 * {@link harrier.runtime.step.setup.SetUpEffects}, as a step's effects are, and what it declares by
 * {@link harrier.runtime.actor.Declared}.
 */
package harrier.runtime.step.setup;
