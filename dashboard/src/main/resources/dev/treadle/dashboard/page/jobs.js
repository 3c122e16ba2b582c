// Lists of jobs: the same for every state, filter and cause, and what is done to all that match.

import { html, nothing } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { Answers, base, get } from './api.js';
import { askAbove, aboveList } from './gates.js';
import { bulkButtons, onceDone } from './bulk.js';
import { STATES, callee, compact, exact, number, span } from './format.js';
import { state as live } from './live.js';
import { empty, failed, icon, link, mayAct, moment, skeleton, stateBadge } from './parts.js';

const page = { rows: null, next: null, searchedTo: null, problem: null, newer: 0, loading: false, seenTotal: null };
const answers = new Answers();

const query = (app) => Object.fromEntries(new URLSearchParams(app.search));

/** Words that name a state choose its tab, so that the list, its buttons and what they do are about one state. */
function withStateOfWords(q) {
  const words = (q.q ?? '').match(/(?:\w+:)?(?:"[^"]*"|\S+)/g) ?? [];
  const named = words.map((word) => /^state:"?(\w+)"?$/i.exec(word)?.[1].toUpperCase());
  const states = [...new Set(named.filter(Boolean))];
  if (states.length !== 1 || !STATES[states[0]]) return q;
  return { ...q, state: states[0], q: words.filter((_, i) => !named[i]).join(' ') };
}

const address = (q) => '/jobs?' + new URLSearchParams(Object.entries(q).filter(([, v]) => v));

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
  // the numbers are those of all jobs, and would be taken for those that were found
  const searched = q.q || q.cause;
  const to = (state) => '/jobs?' + new URLSearchParams({ ...(state ? { state } : {}), ...(q.q ? { q: q.q } : {}) });
  const tab = (state, word) => html`<a role="tab" href=${base + to(state)} aria-selected=${(q.state ?? '') === state ? 'true' : 'false'}>
    ${state ? icon(STATES[state].icon) : nothing}<span>${word}</span>${searched ? nothing : html`<b title=${number(total(state))}>${compact(total(state))}</b>`}</a>`;
  return html`<div class="tabs" role="tablist" aria-label="States">
    ${tab('', 'All')}${['PROCESSING', 'ENQUEUED', 'SCHEDULED', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED'].map((s) => tab(s, STATES[s].word))}</div>`;
}

const row = (job) => html`<tr>
  <td>${stateBadge(job.state)}</td>
  <td class="what">${link('/jobs/' + job.id, callee(job), 'strong')}${job.labels.map((l) => html` <span class="chip small">${l}</span>`)}
    <span class="args ellipsis" title=${job.type + (job.storedAs ? ', stored as ' + job.storedAs : '')}>${job.error ? html`<span class=${job.state === 'CANCELLED' ? '' : 'failed'}>${job.error.message || job.error.type}</span>` : job.arguments}</span></td>
  <td class="num">${job.attempt}</td>
  <td class="num">${span(job.waitedMs)}</td>
  <td class="num">${span(job.ranMs)}</td>
  <td class="when">${job.dueAt ? html`<time title=${exact(job.dueAt)}>due ${moment(job.dueAt)}</time>` : moment(job.since)}</td>
</tr>`;

export const table = (rows) => html`<div class="scroll"><table class="jobs"><thead><tr>
  <th scope="col">State</th><th scope="col">Job</th><th scope="col" class="num">Attempt</th>
  <th scope="col" class="num">Waited</th><th scope="col" class="num">Ran</th><th scope="col" class="when">Since</th></tr></thead>
  <tbody>${repeat(rows, (job) => job.id, row)}</tbody></table></div>`;

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

onceDone((app) => { if (app.path === '/jobs') { load(app); askAbove(app, query(app).q); } });

export const jobs = {
  title: 'Jobs',
  enter(app) {
    const asked = withStateOfWords(query(app));
    if (asked.q !== query(app).q) {
      history.replaceState(null, '', base + address(asked));
      app.search = location.search;
    }
    page.rows = null;
    page.next = null;
    page.problem = null;
    answers.forget();
    load(app);
    askAbove(app, query(app).q);
    // what was typed and not searched for would say something else than the list
    const field = document.getElementById('q');
    if (field) field.value = query(app).q ?? '';
  },
  view(app) {
    const q = query(app);
    const newer = page.rows && page.seen != null && !q.q && !q.cause ? total(q.state) - page.seen : 0;
    return html`<h1>Jobs</h1>${tabs(app)}
      <div class="row"><form class="search" role="search" @submit=${(e) => { e.preventDefault();
        const text = new FormData(e.target).get('q').trim();
        app.go(address({ state: q.state, cause: q.cause, q: text })); }}>
        <label class="sr" for="q">Search jobs</label>${icon('search')}
        <input id="q" name="q" .value=${q.q ?? ''} placeholder=${mayAct(app) ? 'type, label:x, queue:x, arg:x, error:x, since:1h' : 'type, label:x, queue:x, since:1h'} autocomplete="off" spellcheck="false" maxlength="300">
        <button>Search</button></form>${page.rows?.length ? bulkButtons(app, q) : nothing}</div>
      ${q.cause ? html`<p class="chip">Cause: <code>${q.cause}</code> ${link('/jobs?state=FAILED', 'show all failed')}</p>` : nothing}
      ${newer !== 0 && page.rows ? html`<button class="newer" @click=${() => load(app)}>${newer > 0 ? compact(newer) + ' newer' : 'The list has changed'}: show</button>` : html`<div class="newer space"></div>`}
      ${aboveList(q.q)}
      ${body(app)}
      ${page.next && page.rows ? html`<div class="more"><button ?disabled=${page.loading} @click=${() => load(app, true)}>
        ${page.searchedTo ? 'Search further back' : 'Show more'}</button>
        ${page.searchedTo ? html`<span class="dim">searched back to ${exact(page.searchedTo)}</span>` : nothing}</div>` : nothing}`;
  },
};
