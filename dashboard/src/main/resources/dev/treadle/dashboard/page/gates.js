// What a job is made of and waits for: its gates, each one node however many jobs it counts, and events by hand.

import { html, nothing, svg } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { get, post } from './api.js';
import { treeAgain } from './bulk.js';
import { callee, exact, number, simple, span } from './format.js';
import { confirmed, icon, link, mayAct, moment, stateBadge, toast } from './parts.js';

/** Most jobs of a gate that the tree shows; the others are in the list. */
const SHOWN = 20;
/** Narrowest piece of a bar that is not empty, in percent. */
const PIECE_MIN = 1;

const GOES_ON = {
  AFTER_SUCCESS: 'when all have succeeded; while one has failed, it waits for that one to be run again',
  AFTER_FAILURE: 'as soon as one has failed for good',
  AFTER_END: 'when all have ended',
  ALL_SUCCEED: 'when all have succeeded, or as soon as one has failed for good',
  ALL_END: 'when all have ended, however they did',
  ANY_SUCCEEDS: 'as soon as one has succeeded, or when all have ended',
};

const page = { list: [], next: null, parents: [], more: false, open: new Map() };

export function forgetGates() {
  Object.assign(page, { list: [], next: null, parents: [], more: false, open: new Map() });
}

/** Whether something is left that the job is made of. */
export const anyLeft = () => page.list.some((gate) => gate.left > 0 || gate.event?.standing === 'AWAITED');

/** What becomes of the children when the job is cancelled; nothing if there is nothing to say. */
export function cancelledToo() {
  const left = page.list.reduce((sum, gate) => sum + gate.left, 0);
  return left ? ' Its children that have not ended are cancelled too: ' + (page.next != null ? 'at least ' : '') + jobsOf(left) + ', and what they are made of.' : '';
}

/** Asks for the gates again as far as they are shown, and for the jobs of those that are open. */
export async function askGates(id, still) {
  const wanted = Math.max(1, page.list.length);
  const list = [];
  let next = 0;
  do {
    const answer = await get('/jobs/' + id + '/gates', { from: next });
    if (!still()) return;
    list.push(...answer.gates);
    next = answer.next;
  } while (next != null && list.length < wanted);
  Object.assign(page, { list, next });
  for (const gate of page.open.keys()) await askJobs(gate, still);
}

/** Asks once for what the job is a part of: that does not change. */
export async function askParents(id, still) {
  const answer = await get('/jobs/' + id + '/parents');
  if (still()) Object.assign(page, { parents: answer.parents, more: answer.more });
}

async function askJobs(gate, still) {
  const answer = await get('/gates/' + gate + '/jobs', { limit: SHOWN });
  if (still() && page.open.has(gate)) page.open.set(gate, answer);
}

async function toggle(app, gate, still) {
  if (page.open.delete(gate)) return app.draw();
  page.open.set(gate, null);
  app.draw();
  try {
    await askJobs(gate, still);
  } catch (problem) {
    page.open.delete(gate);
    toast(problem.message, true);
  }
  app.draw();
}

async function more(app, id, still) {
  try {
    const answer = await get('/jobs/' + id + '/gates', { from: page.next });
    if (!still()) return;
    Object.assign(page, { list: [...page.list, ...answer.gates], next: answer.next });
  } catch (problem) { toast(problem.message, true); }
  app.draw();
}

// ---- numbers ----

const listOf = (gate, state) => '/jobs?' + new URLSearchParams({ ...(state ? { state } : {}), q: 'gate:' + gate.id });

const jobsOf = (n) => number(n) + (n === 1 ? ' job' : ' jobs');

/** What a bar is made of: how many, in which tone, under which words, and where they are listed. */
const pieces = (gate) => [
  { n: gate.succeeded, tone: 'succeeded', word: 'succeeded', state: 'SUCCEEDED' },
  { n: gate.failed, tone: 'failed', word: 'failed or cancelled', state: 'FAILED' },
  { n: gate.running ?? 0, tone: 'running', word: 'running', state: 'PROCESSING', more: gate.runningMore },
  { n: Math.max(0, gate.left - (gate.running ?? 0)), tone: 'rest', word: gate.running == null ? 'not ended' : 'left', less: gate.runningMore },
];

const said = (piece) => (piece.more ? 'at least ' : piece.less ? 'at most ' : '') + number(piece.n) + ' ' + piece.word;

/** A bar of pieces: what colours say is written under it too. */
export function bar(gate) {
  const all = pieces(gate).filter((piece) => piece.n > 0);
  const total = all.reduce((sum, piece) => sum + piece.n, 0);
  let x = 0;
  const widths = all.map((piece) => Math.max(PIECE_MIN, 100 * piece.n / total));
  const scale = 100 / Math.max(1, widths.reduce((a, b) => a + b, 0));
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${all.map(said).join(', ') || 'no jobs'}>
    ${all.map((piece, i) => { const from = x; x += widths[i] * scale; return svg`<rect class=${piece.tone} x=${from} y="0" width=${widths[i] * scale} height="8"></rect>`; })}</svg>`;
}

const key = (gate) => html`<div class="key">${pieces(gate).filter((piece) => piece.n > 0).map((piece) => {
  const words = html`<i class="swatch stack ${piece.tone}"></i>${said(piece)}`;
  return piece.state ? link(listOf(gate, piece.state), words) : html`<span>${words}</span>`;
})}</div>`;

// ---- the tree ----

const single = (gate) => gate.succeeded ? 'SUCCEEDED' : gate.failed ? 'FAILED' : gate.running ? 'PROCESSING' : null;

const EVENTS = {
  AWAITED: (event) => html`awaited until <time title=${exact(event.until)}>${exact(event.until).slice(0, 16)}</time>`,
  HERE: () => 'has come',
  OVER: (event) => html`has not come in time, which ended <time title=${exact(event.until)}>${exact(event.until).slice(0, 16)}</time>`,
  PASSED: () => 'not awaited now',
};

const eventNode = (app, gate) => html`<div class="head event"><span class="spot">${icon('flag')}</span><span class="grow"><span class="strong">${gate.name}</span>
    <span class="dim">event, <code title=${gate.event.type}>${simple(gate.event.type)}</code>, ${EVENTS[gate.event.standing](gate.event)}</span></span>
    ${gate.event.standing === 'AWAITED' && mayAct(app) ? html`<button class="small" @click=${() => signal(app, gate)}>Signal…</button>` : nothing}</div>`;

const childNode = (app, child, still) => html`<li class="job"><div class="head">${stateBadge(child.job.state)}
    ${link('/jobs/' + child.job.id, callee(child.job), 'strong')}<span class="dim ellipsis">${child.job.error ? child.job.error.message || child.job.error.type : child.job.arguments}</span></div>
  ${child.gates.length ? html`<ul class="tree">${child.gates.map((gate) => gateNode(app, gate, still))}
    ${child.more ? html`<li class="dim">${link('/jobs/' + child.job.id, 'All of it')}</li>` : nothing}</ul>` : nothing}</li>`;

function opened(app, gate, still) {
  const jobs = page.open.get(gate.id);
  if (!jobs) return html`<p class="dim" aria-busy="true">Loading…</p>`;
  const rest = gate.jobs - jobs.jobs.length;
  return html`<ul class="tree">${repeat(jobs.jobs, (child) => child.job.id, (child) => childNode(app, child, still))}
    ${jobs.next && rest > 0 ? html`<li class="dim">${link(listOf(gate), 'and ' + number(rest) + ' more')}</li>` : nothing}</ul>`;
}

function gateNode(app, gate, still) {
  if (gate.event) return html`<li class="gate ${gate.awaited ? 'awaited' : ''}">${eventNode(app, gate)}</li>`;
  const isOpen = page.open.has(gate.id);
  const one = gate.only && single(gate);
  return html`<li class="gate ${gate.awaited ? 'awaited' : ''}"><div class="head">
      <button class="fold" aria-expanded=${isOpen ? 'true' : 'false'} aria-label=${(isOpen ? 'Hide' : 'Show') + ' the jobs of ' + gate.name} ?disabled=${!gate.jobs} @click=${() => toggle(app, gate.id, still)}></button>
      <span class="strong">${gate.name}</span>
      ${gate.only ? link('/jobs/' + gate.only, '1 job') : link(listOf(gate), jobsOf(gate.jobs) + (gate.growing ? ' so far' : ''))}
      ${one ? stateBadge(one) : gate.only ? html`<span class="dim">not ended</span>` : nothing}
      ${gate.awaited ? html`<span class="chip small">awaited</span>` : nothing}</div>
    ${gate.only || !gate.jobs ? nothing : html`<div class="counts">${bar(gate)}${key(gate)}</div>`}
    ${isOpen ? opened(app, gate, still) : nothing}</li>`;
}

/** What the job is made of. */
export const gateList = (app, job, still) => !page.list.length ? nothing : html`<section class="card gates"><header><h2>Children and events</h2>
    ${mayAct(app) && page.list.some((gate) => gate.failed) ? html`<button class="small" @click=${() => treeAgain(app, job)}>Run failed again…</button>`
    : html`<span class="dim small">${number(page.list.length)}${page.next != null ? ' and more' : ''}</span>`}</header>
  <ul class="tree root">${repeat(page.list, (gate) => gate.id, (gate) => gateNode(app, gate, still))}</ul>
  ${page.next != null ? html`<p class="pad"><button @click=${() => more(app, job.id, still)}>Show more</button></p>` : nothing}</section>`;

/** From the job that nothing has spawned down to this one. */
export const crumbs = (id) => html`<p class="crumbs">${link('/jobs', 'Jobs')} /
  ${page.more ? '… / ' : nothing}${[...page.parents].reverse().map((parent) => html`${link('/jobs/' + parent.job.id, callee(parent.job))} /
    ${link('/jobs?q=' + encodeURIComponent('gate:' + parent.gate), parent.name)} / `)}${id}</p>`;

// ---- why does it wait ----

const waitsForJobs = (gate, job) => html`<p><b>Waits for ${gate.only ? 'the job ' : 'the jobs of '}</b>${gate.only ? link('/jobs/' + gate.only, gate.name) : link(listOf(gate), gate.name)}:
    ${number(gate.jobs - gate.left)} of ${number(gate.jobs)}${gate.growing ? ' so far' : ''} ${gate.jobs === 1 ? 'has' : 'have'} ended${gate.failed ? html`, ${number(gate.failed)} of them failed or cancelled` : nothing}.
    <span class="dim">It has waited for ${span(Date.now() - new Date(job.since))} and goes on ${GOES_ON[gate.rule] ?? 'when they have ended'}.</span></p>`;

const waitsForEvent = (app, gate, job) => html`<p class="grow"><b>Waits for the event</b> ${gate.name}, <code title=${gate.event.type}>${simple(gate.event.type)}</code>${gate.event.standing === 'HERE' ? ': it has come' : nothing}.
    <span class="dim">It has waited for ${span(Date.now() - new Date(job.since))}. If the event does not come, it goes on without it ${moment(gate.event.until)}.</span></p>
  ${gate.event.standing === 'AWAITED' && mayAct(app) ? html`<button class="primary" @click=${() => signal(app, gate)}>Signal…</button>` : nothing}`;

/** Why a job waits; nothing if it does not. */
export function whyItWaits(app, job) {
  const gate = job.state === 'WAITING' && page.list.find((one) => one.awaited);
  if (!gate) return nothing;
  return html`<div class="card notice waiting" role="status">${icon('gate')}${gate.event ? waitsForEvent(app, gate, job) : waitsForJobs(gate, job)}</div>`;
}

// ---- events by hand ----

function isJson(text) {
  try { return JSON.parse(text) != null; } catch { return false; }
}

let afterSignal = () => {};

/** What to do when a job has been given an event. */
export const onceSignalled = (listener) => { afterSignal = listener; };

async function signal(app, gate) {
  let typed = '';
  let wrong = '';
  for (;;) {
    const answer = await confirmed({
      title: 'Signal ' + gate.name + '?', verb: 'Signal', wrong,
      text: 'The job awaits ' + gate.event.type + '. It goes on with what is given here; the first event counts.',
      value: { name: 'The event as JSON', text: typed, fits: isJson, else: 'This is not JSON. Texts stand in quotes.' } });
    if (!answer) return;
    try {
      const done = await post('/gates/' + gate.id + '/signal', { value: answer.value, why: answer.why });
      toast('Signalled.' + (done.checked ? '' : ' This process does not know ' + done.type + ', so the event was not compared with it.'));
      return afterSignal(app);
    } catch (problem) {
      wrong = problem.message + (problem.fix ? ' ' + problem.fix : '');
      typed = answer.value;
      if (problem.status !== 400) {
        toast(wrong, true);
        return afterSignal(app);
      }
    }
  }
}

// ---- above a list ----

const above = { id: null, whole: null };

/** The gate by which a list is filtered; null if it is not. */
const gateOf = (q) => /(?:^|\s)gate:"?([0-9a-f-]{36})"?(?:\s|$)/i.exec(q ?? '')?.[1] ?? null;

/** Looks up the gate that a list is about. */
export async function askAbove(app, q) {
  const id = gateOf(q);
  if (above.id !== id) Object.assign(above, { id, whole: null });
  if (!id) return;
  try {
    const whole = await get('/gates/' + id);
    if (above.id === id) above.whole = whole;
  } catch {
    // the list says that nothing is found
    if (above.id === id) above.whole = null;
  }
  app.draw();
}

/** Which gate a list is about, above it. */
export function aboveList(q) {
  const whole = gateOf(q) && above.whole;
  if (!whole) return nothing;
  const { gate, job } = whole;
  return html`<section class="card above"><div class="head">${icon('gate')}<span class="strong">${gate.name}</span>
    <span>${jobsOf(gate.jobs)}${gate.growing ? ' so far' : ''} of ${job ? link('/jobs/' + job.id, callee(job)) : 'a deleted job'}</span></div>${bar(gate)}${key(gate)}</section>`;
}
