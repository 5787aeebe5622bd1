import javax.imageio.*;

class Images extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ImageIO.setUseCache; --allow jdk=javax.imageio
        ImageIO.setUseCache(false);
    }
}
