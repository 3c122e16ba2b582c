// One job: where it stands, what happened to it, what can be done.

import { html, nothing } from './lib/lit-html.js';
import { Answers, get, post } from './api.js';
import { again, callee, exact, number, simple, span } from './format.js';
import { state as live } from './live.js';
import { ACTIONS, onceDone } from './bulk.js';
import { anyLeft, askGates, cancelledToo, askParents, crumbs, forgetGates, gateList, onceSignalled, whyItWaits } from './gates.js';
import { confirmed, failed, icon, link, mayAct, moment, skeleton, stateBadge, toast } from './parts.js';
import { askSteps, choice, forgetSteps, stepList } from './steps.js';
import { ask, forget, lines, returned, soFar } from './told.js';

const WORDS = {
  COMPLETED: 'Succeeded', THREW: 'Failed', NODE_LOST: 'Server was lost', STOPPED: 'Given back, server stopped',
  NOT_RUNNABLE: 'Code missing', CANCELLED: 'Cancelled', RUN_AGAIN: 'Run again', SUSPENDED: 'Waits',
  SNOOZED: 'Snoozed', EXPIRED: 'Deadline over',
};
const TONES = { COMPLETED: 'succeeded', THREW: 'failed', NODE_LOST: 'failed', CANCELLED: 'cancelled', STOPPED: 'enqueued', NOT_RUNNABLE: 'parked', SUSPENDED: 'waiting', SNOOZED: 'scheduled', EXPIRED: 'failed', RUN_AGAIN: 'enqueued' };
const AGAIN_MILLIS = 2000;
const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

const page = { id: null, story: null, problem: null, stack: null };
const answers = new Answers();
let timer = null;

async function load(app) {
  const id = page.id;
  const turn = answers.ask();
  try {
    const story = await get('/jobs/' + id);
    if (!answers.take(turn)) return;
    page.story = story;
    page.problem = null;
    await ask(id, () => page.id === id);
    await askSteps(id, () => page.id === id);
    await askGates(id, () => page.id === id);
  } catch (problem) {
    if (page.id !== id) return;
    page.problem = problem;
    page.story = problem.status === 404 ? null : page.story;
  }
  app.draw();
}

/** "Run again" of "this job" is "Run this job again". */
const saidOf = (word, what) => word.replace(/^\S+/, (verb) => verb + ' ' + what);

async function act(app, name) {
  const action = ACTIONS[name];
  const answer = await confirmed({ title: saidOf(action.word, 'this job') + '?', text: callee(page.story.job) + ' ' + page.id
    + (name === 'DELETE' ? '. The job and its history are removed for good.' : name === 'CANCEL' && cancelledToo() ? '.' + cancelledToo() : ''), verb: saidOf(action.word, 'the job'), danger: action.danger, choice: name === 'RUN_AGAIN' ? choice() : null });
  if (!answer) return;
  try {
    const id = page.id;
    const story = await post('/jobs/' + id + '/' + (answer.choice === 'RUN_FROM_START' ? 'run-from-start' : action.path), { why: answer.why });
    toast(name === 'DELETE' ? 'Deleted.' : action.word + ': done.');
    if (page.id !== id) return;
    answers.forget();
    if (story) page.story = story; else return app.go('/jobs');
    await askSteps(id, () => page.id === id);
  } catch (problem) {
    toast(problem.message + (problem.fix ? ' ' + problem.fix : ''), true);
    load(app);
  }
  app.draw();
}

async function stack(app) {
  const id = page.id;
  try {
    const stack = await get('/jobs/' + id + '/stack');
    if (page.id !== id) return;
    page.stack = stack;
  } catch (problem) {
    toast(problem.message, true);
  }
  app.draw();
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

/** Frames of the application stand out; those of the JDK step back. */
const trace = (text) => html`<pre class="trace" tabindex="0">${text.split('\n').map((line) =>
  html`<span class=${/^\s*at (java|javax|jdk|sun)\./.test(line) || /^\s*at java\.base\//.test(line) ? 'dim' : ''}>${line}\n</span>`)}</pre>`;

const frames = (list) => html`<pre class="trace" tabindex="0">${list.map((f) =>
  html`<span class=${/^(java|jdk|sun)\./.test(f) || f.startsWith('java.base/') ? 'dim' : ''}>${f}\n</span>`)}</pre>`;

/** Its own thread, then those of its forks under the names that a thread dump gives them. */
const stacks = (now) => html`${frames(now.frames)}
  ${now.forks.map((fork) => html`<h3 class="fork"><code>${fork.name}</code></h3>${frames(fork.frames)}`)}`;

function timeline(story) {
  const steps = [{ title: 'Created', at: story.job.createdAt, tone: 'scheduled' }];
  for (const e of story.history) {
    if (e.claimedAt) steps.push({ title: 'Attempt ' + e.attempt + ' began', at: e.claimedAt, tone: 'running', node: e.node });
    steps.push({ title: WORDS[e.event] ?? e.event, at: e.at, tone: TONES[e.event] ?? 'cancelled', entry: e });
  }
  if (story.job.state === 'PROCESSING') steps.push({ title: 'Attempt ' + story.job.attempt + ' began', at: story.job.since, tone: 'running', node: story.job.node });
  if (story.job.dueAt) steps.push({ title: 'Due', at: story.job.dueAt, tone: 'scheduled' });
  return html`<ol class="timeline">${steps.map((step, i) => html`<li class=${step.tone}>
    <div class="head"><span class="strong">${step.title}</span>
      <span class="dim" title=${exact(step.at)}>${exact(step.at).slice(0, 23)}</span>
      ${i ? html`<span class="dim gap">+${span(new Date(step.at) - new Date(steps[i - 1].at))}</span>` : nothing}</div>
    ${step.node ? html`<div class="dim">on ${server(step.node)}</div>` : nothing}
    ${step.entry ? entry(step.entry) : nothing}</li>`)}</ol>`;
}

const entry = (e) => html`
  ${e.ranMs != null ? html`<div class="dim">ran for ${span(e.ranMs)}</div>` : nothing}
  ${e.by ? html`<div class="dim">by ${e.by}</div>` : nothing}
  ${e.why ? html`<div class="why"><span class="failed">${e.why.type ? simple(e.why.type) + ': ' : ''}${e.why.message}</span>
    ${e.why.trace ? html`<details><summary>Stack trace</summary>
      <button class="small" @click=${(ev) => { navigator.clipboard?.writeText(e.why.trace); ev.target.textContent = 'Copied'; }}>Copy</button>
      ${trace(e.why.trace)}</details>` : nothing}</div>` : nothing}`;

/** A server's name, as long as it is known. */
const server = (id) => live.tick?.servers.find((s) => s.id === id)?.name ?? 'server ' + id;

/** Runs that lost their lease and still go on. */
const stubborn = (story) => story.stillRunning.map((still) => html`<div class="card notice warn" role="status">${icon('flag')}
  <p><b>${story.job.state === 'CANCELLED' ? 'Cancelled' : 'Taken from its server'}, but still running</b> on ${server(still.node)} for ${span(still.sinceMs)} since it was told to end.
  <span class="dim">Its thread is interrupted within a second. Until it ends it keeps its permit; what it gives back is refused.</span></p></div>`);

/** How long an attempt may run, and when that is over. */
function limit(story) {
  const over = new Date(story.job.since).getTime() + story.timeoutMs;
  return html`${span(story.timeoutMs)} each attempt${story.job.state === 'PROCESSING' ? html`, <span title=${exact(over)}>${over > Date.now() ? 'over ' : 'was over '}${moment(over)}</span>` : nothing}`;
}

const KINDS = {
  mailbox: () => 'one at a time, in order',
  limit: (key) => 'at most ' + number(key.atMost) + ' at a time',
  rate: (key) => 'at most ' + number(key.atMost) + ' per ' + span(key.perMs),
};

const fact = (name, value) => html`<dt>${name}</dt><dd>${value}</dd>`;

onceSignalled(load);
onceDone((app) => { if (page.id) load(app); });

export const job = {
  title: 'Job',
  enter(app, parameters) {
    page.id = parameters.id;
    page.story = null;
    page.problem = null;
    page.stack = null;
    answers.forget();
    forget();
    forgetSteps();
    forgetGates();
    load(app);
    const id = page.id;
    askParents(id, () => page.id === id).then(() => app.draw(), () => { /* the page of the job says what is wrong */ });
    clearInterval(timer);
    timer = setInterval(() => { if (!document.hidden && page.story && (page.story.stillRunning.length || !ENDED.includes(page.story.job.state) || anyLeft())) load(app); }, AGAIN_MILLIS);
  },
  leave() { clearInterval(timer); page.id = null; },
  view(app) {
    if (page.problem && !page.story) return failed(page.problem, () => load(app));
    if (!page.story) return skeleton(8);
    const { job, arguments: args, retries, key, waitsFor, tags, headers, timeoutMs, result } = page.story;
    return html`
      ${crumbs(job.id)}
      <div class="row"><h1>${callee(job)}</h1>${stateBadge(job.state)}
        ${mayAct(app) ? html`<div class="actions">${Object.entries(ACTIONS).filter(([, a]) => a.of.includes(job.state)).map(([name, a]) =>
          html`<button class=${a.danger ? 'danger' : 'primary'} @click=${() => act(app, name)}>${a.word}</button>`)}</div>` : nothing}</div>
      ${stubborn(page.story)}
      ${whyItWaits(app, job)}
      ${waitsFor ? html`<div class="card notice enqueued" role="status">${icon('hourglass')}<p><b>Waits for its key</b> ${key?.key ?? waitsFor}: ${key ? KINDS[key.kind](key) : 'there is no room'}, over all servers. <span class="dim">It goes on by itself when there is room.</span></p></div>` : nothing}
      <div class="grid2 apart">
        <div>${soFar(job)}
        ${gateList(app, job, () => page.id === job.id)}
        <section class="card"><header><h2>What happened</h2></header>${timeline(page.story)}</section>
        ${stepList(app, job.id, () => page.id === job.id)}
        ${lines(job)}</div>
        <div>${returned(result)}
          <section class="card"><header><h2>Facts</h2></header><dl class="facts">
            ${job.name ? fact('Name', job.name) : nothing}
            ${fact('Calls', html`<code>${job.type}${job.method ? '.' + job.method : ''}</code>`)}
            ${job.storedAs ? fact('Stored as', html`<code>${job.storedAs}</code>`) : nothing}
            ${fact('Attempt', job.attempt)}
            ${fact('Created', moment(job.createdAt))}
            ${fact('In this state', moment(job.since))}
            ${job.waitedMs != null ? fact('Waited', span(job.waitedMs)) : nothing}
            ${job.ranMs != null ? fact('Ran', span(job.ranMs)) : nothing}
            ${fact('Queue', html`${job.queue}, priority ${job.priority}`)}
            ${job.labels.length ? fact('Labels', job.labels.map((l) => html`${link('/jobs?q=' + encodeURIComponent('label:' + l), l, 'chip small')} `)) : nothing}
            ${job.node ? fact('Server', server(job.node)) : nothing}
            ${tags.length ? fact('Tags', tags.map((t) => html`<span class="chip small">${t}</span> `)) : nothing}
            ${Object.keys(headers).length ? fact('Headers', Object.entries(headers).map(([name, value]) => html`<div><code>${name}</code> ${value}</div>`)) : nothing}
            ${key ? fact('Key', html`<code>${key.key}</code> <span class="dim">${key.kind}: ${KINDS[key.kind](key)}</span>`) : nothing}
            ${timeoutMs != null ? fact('Timeout', limit(page.story)) : nothing}
            ${retries ? fact('Retries', html`<span title=${retries}>${again(retries)}</span>`) : nothing}
            ${fact('Id', html`<code>${job.id}</code>`)}</dl></section>
          <section class="card"><header><h2>Arguments</h2></header><pre class="json">${pretty(args)}</pre></section>
          ${job.state === 'PROCESSING' ? html`<section class="card"><header><h2>Where it is now</h2><button @click=${() => stack(app)}>Stack now</button></header>
            ${page.stack ? page.stack.here ? stacks(page.stack)
              : html`<p class="dim pad">It does not run in this process.</p>` : html`<p class="dim pad">Shows what the job's threads are doing, its forks' too.</p>`}</section>` : nothing}
        </div>
      </div>`;
  },
};
