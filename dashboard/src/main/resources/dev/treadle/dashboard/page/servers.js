// Who runs the jobs, and how the machine of each stands: heap, processor, threads and jobs in flight, now and as it was.

import { html, nothing } from './lib/lit-html.js';
import { chart } from './chart.js';
import { Answers, get } from './api.js';
import { bytes, compact, exact, number, percent, span } from './format.js';
import { state } from './live.js';
import { empty, failed, link, moment, skeleton } from './parts.js';
import { WINDOWS, WORDS, memory } from './overview.js';
import { admission } from './admission.js';

const page = { jvm: null, self: null, id: null, chosen: null, window: '5m', machine: null, vitals: [], problem: null };
const AGAIN_MILLIS = 15_000;
const SILENT_MILLIS = 30_000;
const POINTS_MAX = 600;
const answers = new Answers();
let timer = null;

async function load(app) {
  const turn = answers.ask();
  const { chosen, window } = page;
  try {
    const answer = await get('/servers');
    const id = chosen ?? answer.self ?? answer.servers.find((s) => !s.goneAt)?.id ?? null;
    const machine = id ? await get('/servers/' + id, { window }) : null;
    if (!answers.take(turn)) return;
    Object.assign(page, { jvm: answer.jvm, self: answer.self, id, machine, vitals: machine ? machine.vitals : answer.vitals, problem: null });
  } catch (problem) {
    if (!answers.take(turn)) return;
    page.problem = problem;
    page.machine = null;
  }
  app.draw();
}

const standing = (s) => s.goneAt ? html`<span class="badge cancelled">Left ${moment(s.goneAt)}</span>`
  : s.beatAgoMs > SILENT_MILLIS ? html`<span class="badge failed">Silent</span>` : html`<span class="badge succeeded">Alive</span>`;

const share = (value, max, words, name) => html`<meter min="0" max=${max > 0 ? max : 1} value=${max > 0 ? value : 0} aria-label=${name}></meter><span class="args">${words}</span>`;

const rows = (servers) => html`<div class="scroll"><table class="servers stacked"><thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col">Executor</th>
  <th scope="col">Busy</th><th scope="col">Heap</th><th scope="col" class="num">CPU</th><th scope="col" class="num">Threads</th><th scope="col" class="num">Heartbeat</th><th scope="col" class="num">Since</th></tr></thead>
  <tbody>${servers.map((s) => html`<tr class=${s.id === page.id ? 'chosen' : ''}><td class="name">${link('/servers/' + s.id, s.name, 'strong')}${s.id === page.self ? html` <span class="chip small">this one</span>` : nothing}<span class="args">${s.id}</span></td>
    <td>${standing(s)}</td><td data-name="on">${s.executor}</td>
    <td data-name="busy">${s.goneAt ? '–' : share(s.running, s.workers, number(s.running) + ' of ' + number(s.workers), 'Share of ' + s.name + ' that is busy')}</td>
    <td data-name="heap">${s.vitals ? share(s.vitals.heapUsed, s.vitals.heapMax, bytes(s.vitals.heapUsed) + (s.vitals.heapMax > 0 ? ' of ' + bytes(s.vitals.heapMax) : ''), 'Share of the heap of ' + s.name + ' in use') : '–'}</td>
    <td class="num" data-name="CPU">${percent(s.vitals?.cpu)}</td><td class="num" data-name="threads">${number(s.vitals?.threads)}</td>
    <td class="num" data-name="heartbeat">${s.goneAt ? '–' : span(s.beatAgoMs) + ' ago'}</td><td class="num" data-name="started">${moment(s.startedAt)}</td></tr>`)}</tbody></table></div>`;

/** Collecting time as a share of each step; unknown where it was not told. */
function withGc(vitals) {
  return vitals.map((v, i) => ({ ...v, gc: i && v.gcMillis >= 0 && vitals[i - 1].gcMillis >= 0
    ? Math.min(1, Math.max(0, v.gcMillis - vitals[i - 1].gcMillis) / Math.max(1, v.t - vitals[i - 1].t)) : null }));
}

/** Words that a server says of itself and that have no place of their own here. */
const KNOWN = ['jdk', 'vm', 'pid', 'processors', 'collectors', 'startedAt'];
const spoken = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[._-]+/g, ' ').toLowerCase().replace(/^./, (c) => c.toUpperCase());

function about(server, facts, max) {
  const f = facts ?? {};
  // what this process admits stands below, with its own numbers
  const more = Object.entries(f).filter(([name]) => !KNOWN.includes(name) && !(server?.id === page.self && /^(heap guard$|resource )/.test(name)));
  return html`<p class="dim lead">${server ? html`Executor <b>${server.executor}</b>, up to ${number(server.workers)} jobs at once. ` : nothing}${f.jdk ? html`${['JDK ' + f.jdk, f.vm, f.pid && 'process ' + f.pid, f.processors && f.processors + ' processors', f.collectors].filter(Boolean).join(', ')}${f.startedAt ? html`, since <span title=${exact(f.startedAt)}>${moment(f.startedAt)}</span>` : nothing}. ` : 'It has not reported its JVM yet. '}${max > 0 ? html`The heap may grow to ${bytes(max)}.` : nothing}</p>
    ${more.length ? html`<dl class="facts card pad">${more.map(([name, value]) => html`<dt>${spoken(name)}</dt><dd>${value}</dd>`)}</dl>` : nothing}`;
}

const windows = (app) => html`<div class="windows" role="group" aria-label="Window of the charts">
  ${Object.keys(WINDOWS).map((w) => html`<button aria-pressed=${page.window === w ? 'true' : 'false'}
    @click=${() => { page.window = w; answers.forget(); load(app); }}>${w}</button>`)}</div>`;

/** The window of what is drawn: another may have been asked for. */
const shown = () => page.machine?.window ?? '5m';

/** What the live stream tells is put behind what was loaded. */
function follow(server) {
  const v = server?.vitals ?? (page.id ? null : state.tick?.vitals);
  if (v && shown() === '5m' && v.t > (page.vitals.at(-1)?.t ?? 0) + 400) page.vitals = [...page.vitals, v].slice(-POINTS_MAX);
}

function monitor(app, server) {
  follow(server);
  const vitals = withGc(page.vitals);
  const [width, step] = WINDOWS[shown()];
  const own = page.id === page.self;
  const common = { points: vitals, span: width, step: own && shown() === '5m' ? 1000 : Math.max(step, 60_000), note: WORDS[shown()] };
  const f = page.machine?.facts ?? (page.jvm ? { ...page.jvm, collectors: page.jvm.collectors.join(', '), startedAt: new Date(page.jvm.startedAt).toISOString() } : null);
  return html`<div class="row"><h2 class="section">Monitor of ${server ? server.name : 'this process'}</h2>${windows(app)}</div>
    ${about(server, f, vitals.at(-1)?.heapMax)}
    ${own ? admission() : nothing}
    <div class="grid2" data-window=${shown()}>
      ${memory({ ...common, title: 'Heap' })}
      ${chart({ ...common, title: 'CPU', ceiling: 1, format: percent, series: [
        { name: 'this process', tone: 'enqueued', kind: 'area', value: (v) => v.cpu < 0 ? null : v.cpu },
        { name: 'collecting', tone: 'failed', value: (v) => v.gc }] })}
      ${chart({ ...common, title: 'Platform threads', note: 'without virtual threads, ' + WORDS[shown()], format: (v) => v == null ? '–' : compact(Math.round(v)), floor: 20, series: [
        { name: 'threads', tone: 'scheduled', kind: 'area', value: (v) => v.threads }] })}
      ${chart({ ...common, title: 'Jobs in flight', note: 'on this server, ' + WORDS[shown()], format: (v) => v == null ? '–' : compact(Math.round(v)), floor: 4, series: [
        { name: 'running', tone: 'running', kind: 'area', value: (v) => v.running }] })}
    </div>`;
}

export const servers = {
  title: 'Servers',
  enter(app, parameters) {
    page.chosen = parameters?.id ?? null;
    page.machine = null;
    page.vitals = [];
    answers.forget();
    load(app);
    // windows that are made of minutes move on by themselves
    timer = setInterval(() => { if (!document.hidden && page.window !== '5m') load(app); }, AGAIN_MILLIS);
  },
  leave() { clearInterval(timer); },
  view(app) {
    const tick = state.tick;
    if (!tick) return skeleton(6);
    const server = tick.servers.find((s) => s.id === page.id);
    return html`<h1>Servers</h1>
      ${tick.servers.length ? rows(tick.servers) : empty('No server is registered.', 'This process shows the dashboard but runs no jobs. Start a server with Treadle.on(storage).start().')}
      ${page.problem ? failed(page.problem, () => load(app)) : page.machine || !page.id && page.jvm ? monitor(app, server ?? page.machine?.server) : skeleton(4)}`;
  },
};
