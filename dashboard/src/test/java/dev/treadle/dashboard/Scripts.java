package dev.treadle.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What the browser is asked about a page; each gives a list of what is wrong. */
final class Scripts {
    private Scripts() {}

    /** Text with a contrast below WCAG AA. */
    static final String CONTRAST = """
            () => {
              const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
              const rgba = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
              const over = (top, below) => { const a = top[3] / 255; return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)).concat(255); };
              const background = (element) => {
                const all = [];
                for (let e = element; e; e = e.parentElement) all.unshift(rgba(getComputedStyle(e).backgroundColor));
                return all.reduce((below, top) => over(top, below), [255, 255, 255, 255]);
              };
              const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
              const bad = [];
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const text = walker.currentNode.textContent.trim();
                const e = walker.currentNode.parentElement;
                if (!text || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest('svg, noscript, :disabled, .sr, .skip, #toast')) continue;
                const style = getComputedStyle(e);
                const below = background(e);
                const a = light(over(rgba(style.color), below)), b = light(below);
                const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
                const large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
                if (ratio < (large ? 3 : 4.5)) bad.push(text.slice(0, 40) + ' ' + ratio.toFixed(2));
              }
              return bad;
            }""";

    /** What axe-core finds wrong by WCAG 2.1 A and AA; contrast is looked at above, since it does not know all colours. */
    static final String ACCESSIBLE = """
            () => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], rules: { 'color-contrast': { enabled: false } } })
              .then((found) => found.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + v.help + ': ' + n.html.slice(0, 120))))""";

    /** The checker itself, from its WebJar. */
    static String axe() {
        String name = "META-INF/resources/webjars/axe-core/" + System.getProperty("axe.version") + "/axe.min.js";
        try (InputStream in = Scripts.class.getClassLoader().getResourceAsStream(name)) {
            // why wrapped: it is a program and not one expression
            return "() => { " + new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    + " }";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
