// Problems, what people did, and the API.

import { html, nothing } from './lib/lit-html.js';
import { Answers, base, get } from './api.js';
import { exact, number } from './format.js';
import { listen, state } from './live.js';
import { empty, failed, link, moment, skeleton, toast } from './parts.js';

const AGAIN_MILLIS = 3000;

/** A page that shows the answer to one question, asked again and again, and when the verdict changes if that is what it is about. */
function asked(title, ask, view, verdict) {
  const page = { answer: null, problem: null };
  const answers = new Answers();
  let timer = null;
  let deaf = () => {};
  let said = null;
  async function load(app) {
    const turn = answers.ask();
    try {
      const answer = await ask();
      if (!answers.take(turn)) return;
      page.answer = answer;
      page.problem = null;
    } catch (problem) { page.problem = problem; }
    app.draw();
  }
  return {
    title,
    enter(app) {
      page.answer = null;
      load(app);
      timer = setInterval(() => { if (!document.hidden) load(app); }, AGAIN_MILLIS);
      deaf = verdict ? listen(() => {
        const now = state.tick?.verdict.sentence;
        if (now !== said) { said = now; load(app); }
      }) : () => {};
    },
    leave() { clearInterval(timer); deaf(); },
    view: (app) => html`<h1>${title}</h1>${page.problem && !page.answer ? failed(page.problem, () => load(app)) : page.answer ? view(page.answer, app) : skeleton(5)}`,
  };
}

const LEVELS = { DOWN: ['failed', 'Down'], DEGRADED: ['warn', 'Degraded'], IDLE: ['enqueued', 'Note'] };

export const problems = asked('Problems', () => get('/problems'), ({ problems }) => problems.length
  ? html`<div class="groups">${problems.map((p) => html`<article class="card group"><span class="badge ${LEVELS[p.level][0]}">${LEVELS[p.level][1]}</span>
      <div class="grow"><h2>${p.sentence}</h2><p class="dim">${p.fix}</p></div>${p.link ? link(p.link, 'Look', 'button') : nothing}</article>`)}</div>`
  : empty('Nothing is wrong.', 'Checked every second: the database, silent servers, a backlog that waits too long, the failure rate, parked jobs, a full heap. Every three seconds: paused queues, and jobs that still run although they were cancelled.'), true);

const AUDIT_PAGE = 50;
const history = { rows: [], next: null, begun: false };

/** The latest rows are asked for again and again; older ones stay as they came. */
async function latest() {
  const { rows, next } = await get('/audit', { limit: AUDIT_PAGE });
  const last = rows.at(-1)?.number ?? 0;
  if (!history.begun) history.next = next ?? null;
  history.begun = true;
  const older = history.rows.filter((row) => row.number < last);
  // more came in between than one answer holds: what was there before would follow after a gap
  const gap = history.rows.length && next && !history.rows.some((row) => row.number >= last);
  if (gap) history.next = next;
  history.rows = gap ? rows : [...rows, ...older];
  return history;
}

async function older(app) {
  try {
    const { rows, next } = await get('/audit', { limit: AUDIT_PAGE, before: history.next });
    history.rows = [...history.rows, ...rows];
    history.next = next ?? null;
  } catch (problem) { toast(problem.message, true); }
  app.draw();
}

export const audit = asked('Audit', latest, ({ rows, next }, app) => rows.length
  ? html`<div class="scroll"><table class="audit stacked long"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">To what</th><th scope="col" class="num">Jobs</th><th scope="col">Why</th></tr></thead>
      <tbody>${rows.map((r) => html`<tr><td class="dim" title=${exact(r.at)}>${moment(r.at)}</td><td class="who">${r.by}</td><td class="strong">${r.action.toLowerCase().replaceAll('_', ' ')}</td>
      <td class="wrap target">${/^[0-9a-f-]{36}$/.test(r.target) ? link('/jobs/' + r.target, html`<code>${r.target}</code>`) : r.target}</td><td class="num" data-name="jobs">${r.jobs ? number(r.jobs) : '–'}</td><td class="wrap why">${r.why ?? nothing}</td></tr>`)}</tbody></table></div>
    ${next ? html`<div class="more"><button @click=${() => older(app)}>Show older</button></div>` : nothing}`
  : empty('No entries yet.', 'Each act (run again, cancel, delete, pause, …) is recorded here, in the same transaction.'));

export const docs = asked('API', () => get('/openapi.json'), (api) => html`
  <p class="lead dim">Everything that these pages show and do, for programs. Described by <a href=${base + '/api/v1/openapi.json'}>openapi.json</a> (OpenAPI 3.1);
    errors are RFC 9457. Writes need <code>X-Treadle-Request: 1</code> and <code>Content-Type: application/json</code>.</p>
  <pre class="json">curl ${location.origin + base}/api/v1/overview
curl -X POST -H 'X-Treadle-Request: 1' -H 'Content-Type: application/json' -d '{"why":"fixed"}' ${location.origin + base}/api/v1/jobs/ID/run-again</pre>
  <div class="scroll"><table class="stacked"><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th><th scope="col">Role</th></tr></thead>
  <tbody>${Object.entries(api.paths ?? {}).flatMap(([path, methods]) => Object.entries(methods).map(([method, o]) =>
    html`<tr><td><span class="badge ${method === 'get' ? 'enqueued' : method === 'delete' ? 'failed' : 'succeeded'}">${method.toUpperCase()}</span></td><td><code>${path}</code></td><td class="wrap does">${o.summary}</td><td class="dim">${(o['x-role'] ?? '').toLowerCase()}</td></tr>`))}</tbody></table></div>`);
