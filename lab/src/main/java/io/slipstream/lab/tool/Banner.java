package io.slipstream.lab.tool;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;

/** Text drawn into an image in memory and printed as {@code #}. Needs no display, but a font. */
public final class Banner {
    private Banner() {}

    /**
     * The text as lines of {@code #}.
     *
     * @param height of the letters, in lines; 5 to 100
     * @return lines that each end with a line feed, without blank lines above and below
     * @throws IllegalArgumentException when the text is blank or too long, or the height is out of range
     * @throws IOException when this machine has no fonts, or the runtime no module {@code java.desktop}
     */
    public static String of(String text, int height) throws IOException {
        if (text.isBlank() || text.length() > 200) {
            throw new IllegalArgumentException(
                    "a banner needs 1 to 200 characters that can be seen, not " + text.length());
        }
        if (height < 5 || height > 100) {
            throw new IllegalArgumentException("the height must be 5 to 100 lines, not " + height);
        }
        if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
            throw new IOException(
                    "this Java runtime has no module java.desktop, which draws the letters; run the command with a"
                            + " JDK");
        }
        try {
            return print(draw(text, new Font(Font.MONOSPACED, Font.BOLD, height * 4 / 3)));
        } catch (LinkageError | RuntimeException e) {
            throw new IOException(
                    "this machine has no fonts that Java can use (on Debian: apt install fontconfig"
                            + " fonts-dejavu-core): "
                            + e.getMessage(),
                    e);
        }
    }

    private static BufferedImage draw(String text, Font font) {
        Graphics2D probe = new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_BINARY).createGraphics();
        FontMetrics metrics = probe.getFontMetrics(font);
        probe.dispose();
        BufferedImage image =
                new BufferedImage(metrics.stringWidth(text) + 2, metrics.getHeight(), BufferedImage.TYPE_BYTE_BINARY);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_OFF);
        graphics.setFont(font);
        graphics.drawString(text, 1, metrics.getAscent());
        graphics.dispose();
        return image;
    }

    private static String print(BufferedImage image) {
        StringBuilder lines = new StringBuilder();
        int blank = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            StringBuilder line = new StringBuilder();
            for (int x = 0; x < image.getWidth(); x++) {
                line.append((image.getRGB(x, y) & 0xFFFFFF) == 0 ? ' ' : '#');
            }
            String kept = line.toString().stripTrailing();
            if (kept.isEmpty()) {
                blank++;
            } else {
                lines.append(lines.isEmpty() ? "" : "\n".repeat(blank))
                        .append(kept)
                        .append('\n');
                blank = 0;
            }
        }
        return lines.toString();
    }
}
