import javax.xml.parsers.*;

class Xml extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls DocumentBuilderFactory.newInstance; --allow jdk=javax.xml.parsers
        DocumentBuilderFactory.newInstance();
    }
}
