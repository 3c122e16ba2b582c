// Healthy or not in five seconds: the numbers, the charts, what fails most.

import { html, nothing } from './lib/lit-html.js';
import { chart } from './chart.js';
import { bytes, clock, compact, number, percent, short, simple, span } from './format.js';
import { choose, state } from './live.js';
import { empty, link, moment, skeleton, tile } from './parts.js';

export const WINDOWS = { '5m': [300_000, 1000], '1h': [3_600_000, 12_000], '24h': [86_400_000, 288_000], '7d': [604_800_000, 2_016_000] };
/** The same after a share, where there is little room. */
const WITHIN = { '5m': '5 minutes', '1h': '1 hour', '24h': '24 hours', '7d': '7 days' };
export const WORDS = { '5m': 'last 5 minutes', '1h': 'last hour', '24h': 'last 24 hours', '7d': 'last 7 days' };

const sum = (points, key) => points.reduce((total, p) => total + (p[key] ?? 0), 0);

function tiles(tick, points) {
  const c = tick.counts;
  const minute = points.filter((p) => p.t > tick.at - 60_000);
  const living = tick.servers.filter((s) => !s.goneAt);
  const slots = living.reduce((total, s) => total + s.workers, 0);
  const failed = sum(points, 'failed');
  const ok = sum(points, 'ok');
  return html`<section class="tiles" aria-label="Key numbers">
    ${tile('Running', compact(c.PROCESSING ?? 0), slots ? 'of ' + compact(slots) + ' at once' : 'no server', '/jobs?state=PROCESSING', 'running')}
    ${tile('Waiting', compact(c.ENQUEUED ?? 0), tick.oldestMs == null ? 'nothing is due' : 'oldest ' + span(tick.oldestMs), '/jobs?state=ENQUEUED', 'enqueued')}
    ${tile('Done', compact(sum(minute, 'ok')), 'in the last minute', '/jobs?state=SUCCEEDED', 'succeeded')}
    ${tile('Failed', compact(failed), (ok + failed ? (100 * failed / (ok + failed)).toFixed(1) + ' % in ' + WITHIN[state.shown] : WORDS[state.shown]), '/failures', failed ? 'failed' : '')}
    ${tile('Scheduled', compact(c.SCHEDULED ?? 0), 'waiting for their time', '/jobs?state=SCHEDULED', 'scheduled')}
    ${tile('Servers', number(living.length), living.map((s) => s.executor).filter((e, i, all) => all.indexOf(e) === i).join(', ') || 'none is alive', '/servers')}
  </section>`;
}

const windows = () => html`<div class="windows" role="group" aria-label="Window of the charts">
  ${Object.keys(WINDOWS).map((w) => html`<button aria-pressed=${state.window === w ? 'true' : 'false'}
    @click=${() => choose(w).catch(() => {})}>${w}</button>`)}</div>`;

function charts(points) {
  const [width, step] = WINDOWS[state.shown];
  // by what was seen of a step: the last one is not over, and a server may have begun in the middle
  const rate = (key) => (p) => p[key] == null ? null : p[key] / (p.s || 1);
  const common = { points, span: width, step, note: WORDS[state.shown] };
  return html`
    ${chart({ ...common, title: 'Throughput', note: 'jobs per second, ' + WORDS[state.shown],
      format: (v) => v == null ? '–' : v >= 10 || Number.isInteger(v) ? compact(Math.round(v)) : v.toFixed(1), floor: 4,
      series: [
        { name: 'succeeded', tone: 'succeeded', kind: 'stack', value: rate('ok') },
        { name: 'failed', tone: 'failed', kind: 'stack', value: rate('failed') }] })}
    ${chart({ ...common, title: 'Latency', note: 'of ended jobs, ' + WORDS[state.shown], format: span, axis: short, floor: 100, unit: (max) => max > 480_000 ? 60_000 : max > 8000 ? 1000 : 1,
      series: [
        { name: 'run p95', tone: 'running', value: (p) => p.runP95 },
        { name: 'run p50', tone: 'running', dash: 'dashed', value: (p) => p.runP50 },
        { name: 'wait p95', tone: 'enqueued', value: (p) => p.waitP95 },
        { name: 'oldest waiting', tone: 'failed', dash: 'dotted', value: (p) => p.oldest }] })}
    ${chart({ ...common, title: 'Jobs', note: 'in flight and waiting, ' + WORDS[state.shown] + since(points), format: (v) => v == null ? '–' : compact(Math.round(v)), floor: 4,
      series: [
        { name: 'running', tone: 'running', kind: 'area', value: (p) => p.running },
        { name: 'waiting', tone: 'enqueued', value: (p) => p.waiting }] })}
    ${memory({ ...common, title: 'Heap', note: 'of all live servers, ' + WORDS[state.shown] })}`;
}

/** From when on it is known how many jobs waited, where that is not the whole chart: servers do not tell it, the dashboard looks. */
function since(points) {
  const known = points.findIndex((p) => p.waiting != null);
  return known > 0 ? ', waiting since ' + clock(points[known].t).slice(0, 5) : '';
}

/** The heap as VisualVM draws it: what is in use below what is held. */
export const memory = (o) => chart({ ...o, format: bytes, unit: 1048576, floor: 8 * 1048576,
  series: [
    { name: 'used', tone: 'heap', kind: 'area', value: (v) => v.heapUsed },
    { name: 'size', tone: 'size', value: (v) => v.heapSize }] });

const top = (failures) => html`<section class="card"><header><h2>What fails most</h2>${link('/failures', 'All causes')}</header>
  ${failures.length ? html`<ul class="plain">${failures.map((g) => html`<li><span class="count failed">${g.more ? number(g.jobs) + '+' : number(g.jobs)}</span>
    <span class="grow">${link('/jobs?state=FAILED&cause=' + encodeURIComponent(g.cause), simple(g.type), 'strong')}
    <span class="dim ellipsis">${g.message || 'no message'}</span></span><span class="dim">${moment(g.last)}</span></li>`)}</ul>`
    : html`<p class="dim pad">No failed jobs. Nothing to do.</p>`}</section>`;

const servers = (tick) => html`<section class="card"><header><h2>Servers</h2>${link('/servers', 'Monitor')}</header>
  ${tick.servers.filter((s) => !s.goneAt).length ? html`<ul class="plain">${tick.servers.filter((s) => !s.goneAt).map((s) => html`
    <li><span class="grow">${link('/servers/' + s.id, s.name, 'strong')}<span class="dim wrap">${s.executor}, ${number(s.running)} of ${number(s.workers)} busy${s.vitals ? html` · CPU ${percent(s.vitals.cpu)} · heap ${bytes(s.vitals.heapUsed)}` : nothing}</span></span>
    <meter min="0" max=${s.workers} value=${s.running} aria-label="Share of ${s.name} that is busy"></meter>
    <span class="dim">${span(s.beatAgoMs)} ago</span></li>`)}</ul>`
    : html`<p class="dim pad">No server is alive. Start one with <code>Treadle.on(storage).start()</code>.</p>`}</section>`;

const neverUsed = (c) => Object.values(c).every((n) => !n);

export const overview = {
  title: 'Overview',
  needs: [],
  view() {
    const tick = state.tick;
    if (!tick) return skeleton(8);
    return html`
      ${tiles(tick, state.points)}
      <div class="row"><h1 class="sr">Overview</h1>${windows()}</div>
      ${neverUsed(tick.counts) ? empty('No job has ever been created here.', 'Try: treadle.jobs().enqueue(new Greet("world"));') : nothing}
      <div class="grid2" data-window=${state.shown}>${charts(state.points)}</div>
      <div class="grid2">${top(state.failures ?? [])}${servers(tick)}</div>
      `;
  },
};
