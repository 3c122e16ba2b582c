// Who runs the jobs, and this server's heap, processor and threads as they were over the last minutes.

import { html, nothing } from './lib/lit-html.js';
import { chart } from './chart.js';
import { get } from './api.js';
import { bytes, compact, exact, number, percent, span } from './format.js';
import { state } from './live.js';
import { empty, moment, skeleton } from './parts.js';
import { memory } from './overview.js';
import { admission } from './admission.js';

const page = { jvm: null, self: null };

async function load(app) {
  try {
    const answer = await get('/servers');
    page.jvm = answer.jvm;
    page.self = answer.self;
  } catch { /* the verdict says it */ }
  app.draw();
}

const SILENT_MILLIS = 30_000;

const standing = (s) => s.goneAt ? html`<span class="badge cancelled">Left ${moment(s.goneAt)}</span>`
  : s.beatAgoMs > SILENT_MILLIS ? html`<span class="badge failed">Silent</span>` : html`<span class="badge succeeded">Alive</span>`;

const rows = (servers) => html`<div class="scroll"><table><thead><tr><th scope="col">Server</th><th scope="col">Standing</th><th scope="col">Executor</th>
  <th scope="col" class="num">Busy</th><th scope="col">&nbsp;</th><th scope="col" class="num">Heard</th><th scope="col" class="num">Since</th></tr></thead>
  <tbody>${servers.map((s) => html`<tr><td><span class="strong">${s.name}</span>${s.id === page.self ? html` <span class="chip small">this one</span>` : nothing}<span class="args">${s.id}</span></td>
    <td>${standing(s)}</td><td>${s.executor}</td><td class="num">${number(s.running)} of ${number(s.workers)}</td>
    <td><meter min="0" max=${s.workers} value=${s.running} aria-label="Share that is busy"></meter></td>
    <td class="num">${s.goneAt ? '–' : span(s.beatAgoMs) + ' ago'}</td><td class="num">${moment(s.startedAt)}</td></tr>`)}</tbody></table></div>`;

/** Collecting time as a share of each second. */
function withGc(vitals) {
  return vitals.map((v, i) => ({ ...v, gc: i ? Math.max(0, v.gcMillis - vitals[i - 1].gcMillis) / Math.max(1, v.t - vitals[i - 1].t) : 0 }));
}

export const servers = {
  title: 'Servers',
  enter(app) { load(app); },
  view() {
    const tick = state.tick;
    if (!tick) return skeleton(6);
    const vitals = withGc(state.vitals);
    const self = tick.servers.find((s) => s.id === page.self);
    const j = page.jvm;
    const common = { points: vitals, span: 300_000, note: 'last 5 minutes' };
    return html`<h1>Servers</h1>
      ${tick.servers.length ? rows(tick.servers) : empty('No server is registered.', 'This process has the dashboard and runs no jobs. Start a server with Treadle.on(storage).start().')}
      ${admission()}
      <h2 class="section">Monitor of this process</h2>
      ${j ? html`<p class="dim lead">${self ? html`Executor <b>${self.executor}</b>, up to ${number(self.workers)} jobs at once. ` : nothing}JDK ${j.jdk}, ${j.vm}, process ${j.pid},
        ${j.processors} processors, heap up to ${bytes(vitals.at(-1)?.heapMax)}, ${j.collectors.join(' and ')}, since <span title=${exact(j.startedAt)}>${moment(new Date(j.startedAt).toISOString())}</span>.</p>` : nothing}
      <div class="grid2">
        ${memory(vitals)}
        ${chart({ ...common, title: 'CPU', ceiling: 1, format: percent, series: [
          { name: 'this process', tone: 'enqueued', kind: 'area', value: (v) => v.cpu < 0 ? null : v.cpu },
          { name: 'collecting', tone: 'failed', value: (v) => v.gc }] })}
        ${chart({ ...common, title: 'Platform threads', note: 'virtual threads are not counted by the JVM', format: (v) => v == null ? '–' : compact(Math.round(v)), floor: 20, series: [
          { name: 'threads', tone: 'scheduled', kind: 'area', value: (v) => v.threads }] })}
        ${chart({ ...common, title: 'Jobs in flight', note: 'in this process, last 5 minutes', format: (v) => v == null ? '–' : compact(Math.round(v)), floor: 4, series: [
          { name: 'running', tone: 'running', kind: 'area', value: (v) => v.running }] })}
      </div>`;
  },
};
