import harrier.Parameter;
import harrier.Scenario;

class Attacks extends Scenario {
    @Parameter String names = "";

    @Override
    protected void setUp() {
        for (String name : names.split(",")) {
            try {
                create(name, (Attack) Class.forName(name).getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
