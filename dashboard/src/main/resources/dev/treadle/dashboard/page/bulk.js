// What is done to all jobs that match: counted, confirmed, and followed to its end.

import { html, nothing } from './lib/lit-html.js';
import { Answers, del, get, post } from './api.js';
import { STATES, callee, number } from './format.js';
import { confirmed, mayAct, toast } from './parts.js';

export const ACTIONS = {
  RUN_AGAIN: { word: 'Run again', path: 'run-again', of: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED'] },
  RUN_NOW: { word: 'Run now', path: 'run-now', of: ['SCHEDULED'] },
  CANCEL: { word: 'Cancel', path: 'cancel', of: ['SCHEDULED', 'ENQUEUED', 'PROCESSING', 'PARKED', 'WAITING'], danger: true },
  DELETE: { word: 'Delete', path: 'delete', of: ['SCHEDULED', 'ENQUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PARKED', 'WAITING'], danger: true },
};
/** What becomes of the recorded steps of jobs that run again. */
const STEPS = {
  name: 'Steps that they have recorded',
  options: [['RUN_AGAIN', 'Keep them: what was done is not done again'], ['RUN_FROM_START', 'Forget them: each step is done again']],
};
/** From so many jobs on, their number has to be typed. */
const TYPED_FROM = 20;
const COUNT_MILLIS = 10000;
const AGAIN_MILLIS = 500;
const SHOWN_MILLIS = 6000;

const counting = { action: null, jobs: 0 };
let watching = null;
const done = [];

/** What to do when an operation has ended. */
export const onceDone = (listener) => { done.push(listener); };

const wordOf = (action) => action === 'RUN_FROM_START' ? 'Run from the start' : ACTIONS[action]?.word ?? action;

const jobsOf = (n) => number(n) + ' job' + (n === 1 ? '' : 's');

/** Counts for a while, step by step, and shows how far it is. */
async function count(app, order) {
  const until = Date.now() + COUNT_MILLIS;
  let step = {};
  do {
    step = await post('/bulk', { ...order, dryRun: true, after: step.next });
    counting.jobs += step.jobs;
    app.draw();
    // what a job is made of is counted in one go
  } while (step.more && step.next && Date.now() < until);
  return { jobs: counting.jobs, more: step.more };
}

const bulk = (app, q, name) => toAll(app, name, { state: q.state, q: q.q, cause: q.cause }, 'all that match',
  'Everything that is ' + STATES[q.state].word.toLowerCase() + (q.q ? ' and matches ' + q.q : '') + (q.cause ? ' of ' + q.cause : ''));

/** Runs again what failed or was cancelled of a job and all it is made of. */
export const treeAgain = (app, job) => toAll(app, 'RUN_AGAIN', { tree: job.id }, 'all that failed',
  'What failed or was cancelled of ' + callee(job) + ' and of all it is made of, the deepest first. What is below a job that succeeded is left alone');

/** Counts, asks, and does it to all of them. */
async function toAll(app, name, which, everything, sentence) {
  const action = ACTIONS[name];
  const order = { action: name, ...which };
  counting.action = name;
  counting.jobs = 0;
  app.draw();
  try {
    const { jobs, more } = await count(app, order);
    counting.action = null;
    app.draw();
    if (!jobs && !more) return toast('No job matches any more.');
    const answer = await confirmed({
      title: action.word + ': ' + (!more ? jobsOf(jobs) : everything + ', ' + (jobs ? 'at least ' + jobsOf(jobs) : 'none found so far')),
      text: sentence
        + (more ? '. There are too many to count now: the action applies to all of them, however many there are.' : '.')
        + ' It runs in the background, in batches, and is written to the audit log.',
      verb: action.word + (more ? ' all' : ' ' + jobsOf(jobs)), danger: action.danger,
      typed: more ? 'all' : jobs >= TYPED_FROM ? String(jobs) : null, choice: name === 'RUN_AGAIN' && !which.tree ? STEPS : null });
    if (!answer) return;
    follow(app, await post('/bulk', { ...order, action: answer.choice || name, why: answer.why, dryRun: false, ...(more ? { all: true } : { expected: jobs }) }));
  } catch (problem) {
    toast(problem.message + (problem.fix ? ' ' + problem.fix : ''), true);
  } finally {
    counting.action = null;
    app.draw();
  }
}

/** Says how it ended; only what was done to all of them is told as done. */
function told(operation) {
  const word = wordOf(operation.action);
  const rest = jobsOf(operation.done) + (operation.skipped ? ', ' + number(operation.skipped) + ' had moved on' : '');
  if (operation.standing === 'done') return toast(word + ': ' + rest + '.');
  const how = { cancelled: 'stopped', failed: 'failed', limit: 'stopped', refused: 'refused' }[operation.standing] ?? operation.standing;
  toast(word + ' ' + how + ' after ' + rest + '.' + (operation.problem ? ' ' + operation.problem : ''), true);
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
    } catch (problem) {
      if (mine !== watching) return;
      // only where it is not known any more is there nothing to wait for
      if (problem.status === 404) {
        clearInterval(mine);
        app.operation = null;
        toast('How the operation ended is not known, because the dashboard was restarted. The audit log shows what was done.', true);
      } else app.operation = { ...app.operation, unheard: true };
    }
    if (app.operation?.endedAt) {
      clearInterval(mine);
      order.forget();
      told(app.operation);
      done.forEach((listener) => listener(app));
      setTimeout(() => { if (app.operation?.id === operation.id) { app.operation = null; app.draw(); } }, SHOWN_MILLIS);
    }
    app.draw();
  }, AGAIN_MILLIS);
  watching = mine;
}

/** After a reload: goes on following what is under way. */
export async function resumeOperation(app) {
  try {
    const running = (await get('/operations')).operations.find((operation) => !operation.endedAt);
    if (running && !app.operation) follow(app, running);
  } catch (problem) { toast(problem.message, true); }
}

const stop = (operation) => del('/operations/' + operation.id).catch((problem) => toast('It could not be stopped. ' + problem.message, true));

const BAD = ['failed', 'refused', 'limit', 'cancelled'];

export const operationBar = (app) => {
  const o = app.operation;
  if (!o) return nothing;
  return html`<div class="operation ${BAD.includes(o.standing) ? 'bad' : ''}" role="status">
    <span>${wordOf(o.action)}: ${number(o.done)}${o.expected == null ? '' : ' of ' + number(o.expected)}, ${o.unheard ? 'the server does not answer, trying again' : o.standing}</span>
    ${o.expected == null && !o.endedAt ? html`<progress></progress>` : html`<progress max=${Math.max(1, o.expected ?? o.done)} value=${o.done}></progress>`}
    ${o.endedAt || !mayAct(app) ? nothing : html`<button @click=${() => stop(o)}>Stop</button>`}</div>`;
};

/** What can be done to all jobs of a list. */
export function bulkButtons(app, q) {
  if (!q.state || !STATES[q.state] || !mayAct(app)) return nothing;
  return html`<div class="actions">${Object.entries(ACTIONS).filter(([, a]) => a.of.includes(q.state)).map(([name, a]) =>
    counting.action === name
      ? html`<button disabled aria-busy="true">Counting… ${counting.jobs ? number(counting.jobs) : ''}</button>`
      : html`<button class=${a.danger ? 'danger' : ''} ?disabled=${counting.action} @click=${() => bulk(app, q, name)}>${a.word} all…</button>`)}</div>`;
}
