// Small charts in SVG: lines, areas and stacked bars over time, a readout under the pointer, and a table for those who
// do not see them.

import { html, svg, nothing } from './lib/lit-html.js';
import { clock, when } from './format.js';

const W = 600;
const H = 170;
const LEFT = 62;
const BOTTOM = 20;
const TOP = 8;
const TICKS = 4;

/** The end of an axis whose ticks are round numbers of the unit. */
function nice(max, unit) {
  const wanted = Math.max(max, 1e-9) / unit / TICKS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((m) => m * power).find((v) => v >= wanted * 0.9999) * unit * TICKS;
}

/** Whether nobody looked between two points: that is a gap, not a line. Points with "s" say how much they cover. */
const SILENCE_MILLIS = 15_000;
const STEPS_MISSED = 3.5;
const gap = (before, p, step) => p.s ? p.t - p.s * 1000 - before.t > Math.max(SILENCE_MILLIS, 2 * step) : p.t - before.t > STEPS_MISSED * step;

function path(points, x, y, key, step) {
  let d = '';
  let pen = false;
  let before = null;
  for (const p of points) {
    const v = key(p);
    if (v == null) { pen = false; continue; }
    if (before && gap(before, p, step)) pen = false;
    before = p;
    // a point that stands alone is a dot
    d += (pen ? 'L' : 'M') + x(p.t).toFixed(1) + ' ' + y(v).toFixed(1) + (pen ? '' : 'h0');
    pen = true;
  }
  return d;
}

/** Each stretch without a gap is filled down to the axis. */
function area(points, x, y, key, step) {
  const floor = y(0).toFixed(1);
  return path(points, x, y, key, step).split('M').filter((part) => part.includes('L')).map((part) => {
    const xs = part.split('L').map((at) => at.split(' ')[0]);
    return 'M' + part + 'L' + xs.at(-1) + ' ' + floor + 'L' + xs[0] + ' ' + floor + 'Z';
  }).join('');
}

/** Drawn marks of one series. */
function marks(s, points, x, y, step) {
  if (s.kind === 'area') {
    return svg`<path class="fill ${s.tone}" d=${area(points, x, y, s.value, step)}></path>
      <path class="line ${s.tone}" d=${path(points, x, y, s.value, step)}></path>`;
  }
  return svg`<path class="line ${s.tone} ${s.dash ?? ''}" d=${path(points, x, y, s.value, step)}></path>`;
}

function bars(series, points, x, y, least, perMilli) {
  return points.map((p) => {
    let from = 0;
    const width = Math.max(least, p.s ? p.s * 1000 * perMilli : 0);
    return series.map((s) => {
      const v = s.value(p) ?? 0;
      if (!v) return nothing;
      const top = y(from + v);
      const height = Math.max(1, y(from) - top);
      from += v;
      const left = Math.max(LEFT, x(p.t) - width);
      return svg`<rect class="stack ${s.tone}" x=${left.toFixed(1)} y=${top.toFixed(1)}
        width=${Math.max(1, x(p.t) - left - 0.6).toFixed(1)} height=${height.toFixed(1)}></rect>`;
    });
  });
}

function move(event, points, x, series, format) {
  const box = event.currentTarget.getBoundingClientRect();
  const at = (event.clientX - box.left) / box.width * W;
  const figure = event.currentTarget.closest('figure');
  const readout = figure.querySelector('.readout');
  const cursor = figure.querySelector('.cursor');
  let best = null;
  for (const p of points) if (!best || Math.abs(x(p.t) - at) < Math.abs(x(best.t) - at)) best = p;
  if (!best) return;
  cursor.setAttribute('x1', x(best.t));
  cursor.setAttribute('x2', x(best.t));
  cursor.classList.add('on');
  readout.textContent = clock(best.t) + '   ' + series.map((s) => s.name + ' ' + format(s.value(best))).join('   ');
}

function leave(event) {
  const figure = event.currentTarget.closest('figure');
  figure.querySelector('.cursor').classList.remove('on');
  figure.querySelector('.readout').textContent = '';
}

/**
 * @param o.title, o.note  what it shows, and over what window
 * @param o.points         each with t in milliseconds, oldest first
 * @param o.series         { name, tone, value(point), kind: 'line' | 'area' | 'stack', dash }
 * @param o.format         a value for people
 * @param o.span           milliseconds that the axis covers
 * @param o.axis           the same, short
 * @param o.unit           ticks are round numbers of it; or what it is for a maximum
 * @param o.floor          the axis reaches at least so high
 */
export function chart(o) {
  const points = o.points;
  const end = points.length ? points.at(-1).t : Date.now();
  // a young history is not drawn in a corner
  const age = points.length ? end - points[0].t : o.span;
  const span = age >= o.span / 2 ? o.span : [0.05, 0.1, 0.2, 0.5].map((share) => share * o.span).find((s) => s >= age && s >= 60_000) ?? o.span;
  const begin = end - span;
  const shown = points.filter((p) => p.t >= begin);
  const stacked = o.series.filter((s) => s.kind === 'stack');
  const free = o.series.filter((s) => s.kind !== 'stack');
  let max = o.floor ?? 0;
  for (const p of shown) {
    for (const s of free) max = Math.max(max, s.value(p) ?? 0);
    if (stacked.length) max = Math.max(max, stacked.reduce((sum, s) => sum + (s.value(p) ?? 0), 0));
  }
  max = o.ceiling ?? nice(max, typeof o.unit === 'function' ? o.unit(max) : o.unit ?? 1);
  const x = (t) => LEFT + (t - begin) / span * (W - LEFT - 4);
  const y = (v) => TOP + (1 - Math.min(v, max) / max) * (H - TOP - BOTTOM);
  const step = o.step ?? 1000;
  const perMilli = (W - LEFT - 4) / span;
  const least = (W - LEFT - 4) / Math.max(60, span / step);
  const rows = [...Array(TICKS + 1).keys()].map((i) => max * i / TICKS);
  const columns = [0, 0.25, 0.5, 0.75, 1].map((share) => begin + share * span);
  const last = shown.at(-1);
  return html`
    <figure class="chart" role="group" aria-label=${o.title}>
      <figcaption><span class="title">${o.title}</span><span class="note">${o.note ?? ''}</span></figcaption>
      <div class="legend">
        ${o.series.map((s) => html`<span class="key"><i class="swatch ${s.tone} ${s.dash ?? ''} ${s.kind ?? ''}"></i>${s.name}
          <b>${last ? o.format(s.value(last)) : '–'}</b></span>`)}
      </div>
      <div class="plot">
      <svg viewBox="0 0 ${W} ${H}" preserveAspectRatio="none" role="img" aria-label=${o.title + ' as a chart; a table follows'}
        @pointermove=${(e) => move(e, shown, x, o.series, o.format)} @pointerleave=${leave}>
        ${rows.map((v) => svg`<line class="grid" x1=${LEFT} x2=${W - 4} y1=${y(v)} y2=${y(v)}></line>`)}
        ${stacked.length ? bars(stacked, shown, x, y, least, perMilli) : nothing}
        ${free.map((s) => marks(s, shown, x, y, step))}
        <line class="cursor" x1="0" x2="0" y1=${TOP} y2=${H - BOTTOM}></line>
      </svg>
      <div class="yaxis" aria-hidden="true">${rows.slice().reverse().map((v) => html`<span>${(o.axis ?? o.format)(v)}</span>`)}</div>
      <div class="xaxis" aria-hidden="true">${columns.map((t) => html`<span>${span > 86_400_000 ? when(t).slice(0, 10) : clock(t).slice(0, span > 600_000 ? 5 : 8)}</span>`)}</div>
      </div>
      <div class="readout" aria-hidden="true"></div>
      ${shown.length ? nothing : html`<p class="nodata">Nothing was seen in this window.</p>`}
      <details class="table"><summary>Table</summary>
        <table><thead><tr><th scope="col">Time</th>${o.series.map((s) => html`<th scope="col">${s.name}</th>`)}</tr></thead>
        <tbody>${shown.slice(-12).reverse().map((p) => html`<tr><td>${clock(p.t)}</td>${o.series.map((s) => html`<td>${o.format(s.value(p))}</td>`)}</tr>`)}</tbody></table>
      </details>
    </figure>`;
}

/** A line as small as a word. */
export function spark(values, tone, max) {
  const top = Math.max(max ?? 0, ...values, 1);
  const d = values.map((v, i) => (i ? 'L' : 'M') + (i / Math.max(1, values.length - 1) * 100).toFixed(1) + ' ' + (23 - v / top * 22).toFixed(1)).join('');
  return html`<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
    <path class="fill ${tone}" d=${d ? d + 'L100 24L0 24Z' : ''}></path><path class="line ${tone}" d=${d}></path></svg>`;
}
