// Lists of jobs: the same for every state, filter and cause, and what is done to all that match.

import { html, nothing } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { Answers, base, del, get, post } from './api.js';
import { STATES, callee, compact, exact, number, span } from './format.js';
import { state as live } from './live.js';
import { confirmed, empty, failed, icon, link, moment, skeleton, stateBadge, toast } from './parts.js';

export const ACTIONS = {
  RUN_AGAIN: { word: 'Run again', path: 'run-again', of: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED'] },
  RUN_NOW: { word: 'Run now', path: 'run-now', of: ['SCHEDULED'] },
  CANCEL: { word: 'Cancel', path: 'cancel', of: ['SCHEDULED', 'ENQUEUED', 'PROCESSING', 'PARKED'], danger: true },
  DELETE: { word: 'Delete', path: 'delete', of: ['SCHEDULED', 'ENQUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED'], danger: true },
};
const TYPED_FROM = 100;

export const mayAct = (app) => app.me && app.me.role !== 'VIEWER';

const page = { rows: null, next: null, searchedTo: null, problem: null, newer: 0, loading: false, seenTotal: null };
const answers = new Answers();
let watching = null;

const query = (app) => Object.fromEntries(new URLSearchParams(app.search));

async function load(app, more) {
  const q = query(app);
  const turn = answers.ask();
  page.loading = true;
  app.draw();
  try {
    const answer = await get('/jobs', { state: q.state, q: q.q, cause: q.cause, limit: 50, after: more ? page.next : '' });
    if (!answers.take(turn)) return;
    const have = new Set(more ? page.rows.map((job) => job.id) : []);
    page.rows = [...(more ? page.rows : []), ...answer.jobs.filter((job) => !have.has(job.id))];
    page.next = answer.next ?? null;
    page.searchedTo = answer.searchedTo ?? null;
    page.problem = null;
    page.seen = total(q.state);
  } catch (problem) {
    if (!answers.take(turn)) return;
    page.problem = problem;
  }
  page.loading = false;
  app.draw();
}

const total = (state) => {
  const c = live.tick?.counts ?? {};
  return state ? c[state] ?? 0 : Object.values(c).reduce((a, b) => a + b, 0);
};

function tabs(app) {
  const q = query(app);
  const counts = live.tick?.counts ?? {};
  const to = (state) => '/jobs?' + new URLSearchParams({ ...(state ? { state } : {}), ...(q.q ? { q: q.q } : {}) });
  const tab = (state, word) => html`<a role="tab" href=${base + to(state)} aria-selected=${(q.state ?? '') === state ? 'true' : 'false'}>
    ${state ? icon(STATES[state].icon) : nothing}<span>${word}</span><b title=${number(total(state))}>${compact(state ? counts[state] ?? 0 : total())}</b></a>`;
  return html`<div class="tabs" role="tablist" aria-label="States">
    ${tab('', 'All')}${['PROCESSING', 'ENQUEUED', 'SCHEDULED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED'].map((s) => tab(s, STATES[s].word))}</div>`;
}

async function bulk(app, name) {
  const q = query(app);
  const action = ACTIONS[name];
  const order = { action: name, state: q.state, q: q.q, cause: q.cause };
  try {
    const count = await post('/bulk', { ...order, dryRun: true });
    if (!count.jobs) return toast('No job matches any more.');
    const many = number(count.jobs) + (count.more ? ' or more' : '');
    const answer = await confirmed({
      title: action.word + ': ' + many + ' job' + (count.jobs === 1 && !count.more ? '' : 's'),
      text: 'Everything that is ' + STATES[q.state].word.toLowerCase() + (q.q ? ' and matches ' + q.q : '') + (q.cause ? ' of ' + q.cause : '')
        + '. It is done in the background, in batches, and written to the audit log.',
      verb: action.word, danger: action.danger, typed: count.jobs > TYPED_FROM ? String(count.jobs) : null });
    if (!answer) return;
    const operation = await post('/bulk', { ...order, why: answer.why, dryRun: false, expected: count.jobs });
    follow(app, operation);
  } catch (problem) {
    toast(problem.message + (problem.fix ? ' ' + problem.fix : ''), true);
  }
}

function follow(app, operation) {
  app.operation = operation;
  app.draw();
  clearInterval(watching);
  const order = new Answers();
  const mine = setInterval(async () => {
    const turn = order.ask();
    try {
      const now = await get('/operations/' + operation.id);
      if (mine !== watching || !order.take(turn)) return;
      app.operation = now;
    } catch { clearInterval(mine); return; }
    if (app.operation.endedAt) {
      clearInterval(mine);
      order.forget();
      toast('Done: ' + number(app.operation.done) + ' jobs' + (app.operation.skipped ? ', ' + number(app.operation.skipped) + ' had moved on' : '') + '.');
      if (app.path === '/jobs') load(app);
      setTimeout(() => { if (app.operation?.id === operation.id) { app.operation = null; app.draw(); } }, 6000);
    }
    app.draw();
  }, 500);
  watching = mine;
}

export const operationBar = (app) => app.operation ? html`<div class="operation" role="status">
  <span>${ACTIONS[app.operation.action]?.word ?? app.operation.action}: ${number(app.operation.done)} of ${number(app.operation.expected)}, ${app.operation.standing}</span>
  <progress max=${Math.max(1, app.operation.expected)} value=${app.operation.done}></progress>
  ${app.operation.endedAt ? nothing : html`<button @click=${() => del('/operations/' + app.operation.id).catch(() => {})}>Stop</button>`}</div>` : nothing;

const row = (job) => html`<tr>
  <td>${stateBadge(job.state)}</td>
  <td class="what">${link('/jobs/' + job.id, callee(job), 'strong')}${job.labels.map((l) => html` <span class="chip small">${l}</span>`)}
    <span class="args ellipsis" title=${job.type}>${job.error ? html`<span class=${job.state === 'CANCELLED' ? '' : 'failed'}>${job.error.message || job.error.type}</span>` : job.arguments}</span></td>
  <td class="num">${job.attempt}</td>
  <td class="num">${span(job.waitedMs)}</td>
  <td class="num">${span(job.ranMs)}</td>
  <td class="when">${job.dueAt ? html`<time title=${exact(job.dueAt)}>due ${moment(job.dueAt)}</time>` : moment(job.since)}</td>
</tr>`;

export const table = (rows) => html`<div class="scroll"><table class="jobs"><thead><tr>
  <th scope="col">State</th><th scope="col">Job</th><th scope="col" class="num">Attempt</th>
  <th scope="col" class="num">Waited</th><th scope="col" class="num">Ran</th><th scope="col" class="when">Since</th></tr></thead>
  <tbody>${repeat(rows, (job) => job.id, row)}</tbody></table></div>`;

function bulkButtons(app) {
  const q = query(app);
  if (!q.state || !mayAct(app) || !page.rows?.length) return nothing;
  return html`<div class="actions">${Object.entries(ACTIONS).filter(([, a]) => a.of.includes(q.state)).map(([name, a]) =>
    html`<button class=${a.danger ? 'danger' : ''} @click=${() => bulk(app, name)}>${a.word} all…</button>`)}</div>`;
}

function body(app) {
  const q = query(app);
  if (page.problem) return failed(page.problem, () => load(app));
  if (!page.rows) return skeleton(10);
  if (!page.rows.length) {
    const filtered = q.q || q.cause;
    return empty(page.next ? 'Nothing was found yet.' : filtered ? 'No job matches ' + (q.q || q.cause) + '.' : 'No job is here.',
      page.next ? 'The search is not over: ' + (page.searchedTo ? 'it has come back to ' + exact(page.searchedTo) + '.' : 'there are older jobs.')
        : filtered ? link('/jobs' + (q.state ? '?state=' + q.state : ''), 'Show all of this state') : 'Jobs appear here as they come.');
  }
  return table(page.rows);
}

export const jobs = {
  title: 'Jobs',
  enter(app) {
    page.rows = null;
    page.next = null;
    page.problem = null;
    answers.forget();
    load(app);
    // what was typed and not searched for would say something else than the list
    const field = document.getElementById('q');
    if (field) field.value = query(app).q ?? '';
  },
  view(app) {
    const q = query(app);
    const newer = page.rows && page.seen != null ? total(q.state) - page.seen : 0;
    return html`<h1>Jobs</h1>${tabs(app)}
      <div class="row"><form class="search" role="search" @submit=${(e) => { e.preventDefault();
        const text = new FormData(e.target).get('q').trim();
        const next = new URLSearchParams({ ...(q.state ? { state: q.state } : {}), ...(q.cause ? { cause: q.cause } : {}), ...(text ? { q: text } : {}) });
        app.go('/jobs?' + next); }}>
        <label class="sr" for="q">Search jobs</label>${icon('search')}
        <input id="q" name="q" .value=${q.q ?? ''} placeholder=${mayAct(app) ? 'type, label:x, queue:x, arg:x, error:x, since:1h' : 'type, label:x, queue:x, since:1h'} autocomplete="off" spellcheck="false" maxlength="300">
        <button>Search</button></form>${bulkButtons(app)}</div>
      ${q.cause ? html`<p class="chip">Cause: <code>${q.cause}</code> ${link('/jobs?state=FAILED', 'show all failed')}</p>` : nothing}
      ${newer !== 0 && page.rows ? html`<button class="newer" @click=${() => load(app)}>${newer > 0 ? compact(newer) + ' newer' : 'The list has changed'}: show</button>` : html`<div class="newer space"></div>`}
      ${body(app)}
      ${page.next && page.rows ? html`<div class="more"><button ?disabled=${page.loading} @click=${() => load(app, true)}>
        ${page.searchedTo ? 'Search further back' : 'Show more'}</button>
        ${page.searchedTo ? html`<span class="dim">searched back to ${exact(page.searchedTo)}</span>` : nothing}</div>` : nothing}`;
  },
};
