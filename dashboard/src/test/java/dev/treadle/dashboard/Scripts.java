package dev.treadle.dashboard;

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

    /** Controls, charts and pictures that say nothing to those who do not see them. */
    static final String NAMELESS = """
            () => [...document.querySelectorAll('a, button, input, meter, progress, svg, figure')]
              .filter((e) => e.checkVisibility())
              .filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-hidden') || e.textContent.trim() || e.title
                || e.labels && e.labels.length || e.closest('[aria-hidden]')))
              .map((e) => e.outerHTML.slice(0, 80))""";
}
