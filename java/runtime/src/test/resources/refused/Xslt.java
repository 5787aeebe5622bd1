import javax.xml.transform.*;

class Xslt extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls TransformerFactory.newInstance; --allow jdk=javax.xml.transform
        TransformerFactory.newInstance().newTransformer();
    }
}
