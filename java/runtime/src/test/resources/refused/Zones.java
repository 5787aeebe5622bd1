import java.time.zone.*;

class Zones extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ZoneRulesProvider.refresh; --allow jdk=java.time.zone.ZoneRulesProvider
        ZoneRulesProvider.refresh();
    }
}
