package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harrier.run.Verdict;
import harrier.junit.Harrier;
import harrier.junit.HarrierChecks;
import harrier.junit.HarrierTest;
import harrier.junit.ReplayTraces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@HarrierTest(scenario = Lock.class, set = {"clients=2", "clients=3"})
@ReplayTraces("src/test/traces")
class LockTest implements HarrierChecks {
    @HarrierTest(scenario = Lock.class, timeout = "60s")
    void isExclusive(Verdict verdict) {
        assertEquals("verified", verdict.verdict());
    }

    /** Fails, to show what that looks like: with -Dwrong. */
    @Test
    @EnabledIfSystemProperty(named = "wrong", matches = ".*")
    void wrongLockIsNot() {
        Harrier.check(WrongLock.class).set("clients", 2).assertVerified();
    }
}
