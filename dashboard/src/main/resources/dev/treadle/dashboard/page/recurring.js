// What recurs: when it comes next, how it went, and what is decided about it.

import { html, nothing } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { Answers, base, get, post } from './api.js';
import { STATES, exact, when } from './format.js';
import { confirmed, empty, failed, icon, link, mayAct, moment, skeleton, toast } from './parts.js';

const AGAIN_MILLIS = 3000;
const PAGE = 50;
const page = { all: null, more: false, limit: PAGE, q: '', problem: null, editing: null, preview: null };
const answers = new Answers();
const previews = new Answers();
let timer = null;

async function load(app) {
  const turn = answers.ask();
  try {
    const all = await get('/recurring', { q: page.q, limit: page.limit });
    if (!answers.take(turn)) return;
    page.all = all.recurring;
    page.more = all.more;
    page.problem = null;
  } catch (problem) { page.problem = problem; }
  app.draw();
}

async function act(app, job, action, more) {
  const words = { TRIGGER: 'Run now', PAUSE: 'Pause', RESUME: 'Resume', RESET: 'Return to the schedule of the code' };
  let why = null;
  if (action !== 'RESCHEDULE') {
    const answer = await confirmed({ title: words[action] + ': ' + job.id, text: action === 'PAUSE'
      ? 'No further jobs come until somebody resumes it. Slots that pass until then are not made up for.' : job.name, verb: words[action] });
    if (!answer) return;
    why = answer.why;
  }
  try {
    const done = await post('/recurring', { id: job.id, action, why, ...more });
    toast(action === 'TRIGGER' ? 'One job was enqueued.' : 'Done.');
    page.editing = null;
    answers.forget();
    if (done.job) return app.go('/jobs/' + done.job);
  } catch (problem) { toast(problem.message + (problem.fix ? ' ' + problem.fix : ''), true); }
  load(app);
}

async function preview(app, text) {
  const turn = previews.ask();
  let preview;
  try { preview = (await post('/schedules/preview', { schedule: text })).upcoming; } catch (problem) { preview = problem; }
  if (!previews.take(turn)) return;
  page.preview = preview;
  app.draw();
}

const ticks = (runs) => html`<span class="ticks">${runs.map((run) => {
  const state = run.state ? STATES[run.state] : { word: 'not kept', tone: 'unknown' };
  const title = when(run.slot) + ': ' + state.word;
  return run.state ? html`<a class="tick ${state.tone}" href=${base + '/jobs/' + run.job} title=${title} aria-label=${title}></a>`
    : html`<i class="tick ${state.tone}" title=${title}></i>`;
})}</span>`;

const times = (list) => html`<ol class="times">${list.map((t) => html`<li><span title=${t.local}>${exact(t.at).slice(0, 19)}</span>
  <span class="dim">${moment(t.at)}${t.note ? ' · ' + t.note : ''}</span></li>`)}</ol>`;

const editor = (app, job) => html`<form class="edit" @submit=${(e) => { e.preventDefault(); act(app, job, 'RESCHEDULE', { schedule: new FormData(e.target).get('schedule') }); }}>
  <label>Schedule <input name="schedule" .value=${job.schedule} spellcheck="false" autocomplete="off" @input=${(e) => preview(app, e.target.value)}></label>
  ${page.preview instanceof Error ? html`<p class="failed">${page.preview.message}</p>` : page.preview ? times(page.preview) : nothing}
  <div class="actions"><button type="button" @click=${() => { page.editing = null; app.draw(); }}>Never mind</button>
  <button class="primary" ?disabled=${page.preview instanceof Error}>Save</button></div></form>`;

const card = (app, job) => html`<article class="card recurring">
  <header><h2>${job.id}</h2>
    ${job.status === 'PAUSED' ? html`<span class="badge parked">Paused</span>` : html`<span class="badge succeeded">Active</span>`}
    ${job.changed ? html`<span class="badge warn" title=${'The code declares ' + job.declared}>Changed here</span>` : nothing}
    ${mayAct(app) ? html`<div class="actions"><button @click=${() => act(app, job, 'TRIGGER')}>Run now</button>
      ${job.status === 'PAUSED' ? html`<button @click=${() => act(app, job, 'RESUME')}>Resume</button>` : html`<button @click=${() => act(app, job, 'PAUSE')}>Pause</button>`}
      ${app.me.role === 'ADMIN' ? html`<button @click=${() => { page.editing = job.id; page.preview = null; previews.forget(); app.draw(); }}>Edit</button>` : nothing}
      ${job.changed && app.me.role === 'ADMIN' ? html`<button @click=${() => act(app, job, 'RESET')}>Reset</button>` : nothing}</div>` : nothing}</header>
  <div class="body"><dl class="facts"><dt>Schedule</dt><dd><code>${job.schedule}</code></dd><dt>Calls</dt><dd>${job.name}</dd>
    ${job.by ? html`<dt>Decided</dt><dd>${job.by}${job.why ? ': ' + job.why : ''}</dd>` : nothing}
    <dt>Last runs</dt><dd>${job.last.length ? ticks(job.last) : html`<span class="dim">none yet</span>`}</dd></dl>
    <div>${page.editing === job.id ? editor(app, job) : job.upcoming.length ? times(job.upcoming) : html`<p class="dim pad">No runs until it is resumed.</p>`}</div></div></article>`;

const search = (app) => html`<div class="row"><form class="search" role="search" @submit=${(e) => { e.preventDefault();
    page.q = new FormData(e.target).get('words').trim(); page.limit = PAGE; answers.forget(); load(app); }}>
    <label class="sr" for="words">Search recurring jobs</label>${icon('search')}
    <input id="words" name="words" .value=${page.q} placeholder="part of an id or a name" autocomplete="off" spellcheck="false" maxlength="300">
    <button>Search</button></form></div>`;

export const recurring = {
  title: 'Recurring',
  enter(app) { load(app); timer = setInterval(() => { if (!document.hidden && !page.editing) load(app); }, AGAIN_MILLIS); },
  leave() { clearInterval(timer); page.editing = null; page.limit = PAGE; page.q = ''; },
  view(app) {
    return html`<h1>Recurring</h1>${page.q || page.more ? search(app) : nothing}${page.problem && !page.all ? failed(page.problem, () => load(app)) : !page.all ? skeleton(4)
      : !page.all.length && page.q ? empty('No recurring job matches ' + page.q + '.', 'Search for a part of its id or name.')
      : !page.all.length ? empty('No recurring jobs.', html`Declare it at every start: <code>treadle.jobs().recurring("nightly", Schedule.cron("0 2 * * *"), new Cleanup())</code>`)
      : html`<div class="groups">${repeat(page.all, (job) => job.id, (job) => card(app, job))}</div>
        ${page.more ? html`<div class="more"><button @click=${() => { page.limit += PAGE; load(app); }}>Show more</button></div>` : nothing}`}`;
  },
};
