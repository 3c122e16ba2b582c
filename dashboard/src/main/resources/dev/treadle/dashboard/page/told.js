// What one job tells of itself while it runs: how far it is, words, lines; and what it returned.

import { html, nothing } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { get } from './api.js';
import { clock, exact, number, span } from './format.js';

const LINES_MAX = 2000;
/** What a job did in less than this says little about what is left. */
const GUESS_MILLIS_MIN = 2000;

export const told = { notes: null, log: [], earlier: false, follow: true };

export function forget() {
  Object.assign(told, { notes: null, log: [], earlier: false, follow: true });
}

/** Asks for what is new; gives whether anything was told. */
export async function ask(id, still) {
  const after = told.log.at(-1)?.place;
  const notes = await get('/jobs/' + id + '/notes', after ? { after } : {});
  // another answer was quicker: this one's lines are there already
  if (!still() || told.log.at(-1)?.place !== after) return;
  if (!after) told.earlier = notes.more;
  const all = [...told.log, ...notes.log];
  told.earlier ||= all.length > LINES_MAX;
  told.log = all.slice(-LINES_MAX);
  told.notes = notes;
  if (notes.log.length && told.follow) requestAnimationFrame(() => requestAnimationFrame(() => { const log = document.querySelector('.log'); if (log) log.scrollTop = log.scrollHeight; }));
  if (after && notes.more) return ask(id, still);
}

function left(job, notes) {
  const ran = new Date(notes.at) - new Date(job.since);
  if (job.state !== 'PROCESSING' || !notes.done || notes.done >= notes.total || ran < GUESS_MILLIS_MIN) return '';
  const more = ran * (notes.total - notes.done) / notes.done - (Date.now() - new Date(notes.at));
  return more > 0 ? ' · about ' + span(more) + ' left' : '';
}

function progress(job, notes) {
  if (notes.done == null) return nothing;
  if (!notes.total) return html`<p class="pad">${number(notes.done)} done</p>`;
  const share = Math.max(0, Math.min(1, notes.done / notes.total));
  return html`<div class="progress pad"><div><b>${Math.floor(share * 100)} %</b><span class="dim">${number(notes.done)} of ${number(notes.total)}${left(job, notes)}</span></div>
    <progress max=${notes.total} value=${Math.min(notes.done, notes.total)} aria-label="Progress"></progress></div>`;
}

/** Progress and words; nothing if the job says nothing. */
export function soFar(job) {
  const notes = told.notes;
  const words = Object.entries(notes?.meta ?? {});
  if (!notes || (notes.done == null && !words.length)) return nothing;
  return html`<section class="card"><header><h2>${job.state === 'PROCESSING' ? 'So far' : 'Progress'}</h2><span class="dim small">as of ${clock(notes.at)}</span></header>
    ${progress(job, notes)}
    ${words.length ? html`<dl class="facts">${words.map(([key, value]) => html`<dt>${key}</dt><dd>${value}</dd>`)}</dl>` : nothing}</section>`;
}

/** The lines, newest last; it stays at the end unless somebody scrolls up. */
export const lines = (job) => !told.log.length ? nothing : html`<section class="card"><header><h2>Log</h2>
    <span class="dim small">${told.earlier ? 'the last ' : ''}${number(told.log.length)} ${told.log.length === 1 ? 'line' : 'lines'}${job.state === 'PROCESSING' ? ' · live' : ''}</span></header>
  <div class="log" tabindex="0" role="log" aria-label="Log of the job" @scroll=${(e) => { told.follow = e.target.scrollTop + e.target.clientHeight > e.target.scrollHeight - 20; }}>
    ${repeat(told.log, (line) => line.place, (line, i) => html`<div class=${line.number === 0 && i ? 'first' : ''}><time datetime=${line.at} title=${exact(line.at)}>${clock(line.at)}</time><span>${line.text}</span></div>`)}</div></section>`;

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

export const returned = (result) => !result ? nothing : html`<section class="card"><header><h2>Result</h2></header>
  ${result.json == null ? html`<p class="dim pad">The result was not kept: ${result.whyNotKept}</p>` : html`<pre class="json">${pretty(result.json)}</pre>`}</section>`;
