package dev.treadle.example.slip;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Draws the made-up company's sign: four warp threads and four weft threads of a plain weave. */
final class Logo {

    static final int PIXELS = 220;

    private static final int THREADS = 4;
    private static final Color WARP = new Color(0x1F4E5F);
    private static final Color WEFT = new Color(0xD98E48);

    private Logo() {}

    /** A PNG without transparency, which PDF takes over as it is. */
    static byte[] png() throws IOException {
        BufferedImage image = new BufferedImage(PIXELS, PIXELS, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        pen.setColor(Color.WHITE);
        pen.fillRect(0, 0, PIXELS, PIXELS);
        int step = PIXELS / THREADS;
        int thread = step * 7 / 10;
        int gap = (step - thread) / 2;
        for (int row = 0; row < THREADS; row++) {
            for (int column = 0; column < THREADS; column++) {
                boolean warpOnTop = (row + column) % 2 == 0;
                int x = column * step;
                int y = row * step;
                pen.setColor(warpOnTop ? WEFT : WARP);
                fill(pen, x, y, step, gap, thread, warpOnTop);
                pen.setColor(warpOnTop ? WARP : WEFT);
                fill(pen, x, y, step, gap, thread, !warpOnTop);
            }
        }
        pen.dispose();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);
        return png.toByteArray();
    }

    /** The thread below shows only at the two edges of its square, so that the one above seems to cross it. */
    private static void fill(Graphics2D pen, int x, int y, int step, int gap, int thread, boolean across) {
        if (across) {
            pen.fillRect(x, y + gap, step, thread);
        } else {
            pen.fillRect(x + gap, y, thread, step);
        }
    }
}
