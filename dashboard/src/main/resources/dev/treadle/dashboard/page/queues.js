// The queues: what waits where, for how long, and which of them rest.

import { html, nothing } from './lib/lit-html.js';
import { repeat } from './lib/directives/repeat.js';
import { Answers, get, post } from './api.js';
import { number, span } from './format.js';
import { confirmed, empty, failed, icon, link, mayAct, moment, skeleton, toast } from './parts.js';

const AGAIN_MILLIS = 3000;
const HOW_LONG = { name: 'Until when?', options: [['', 'until somebody resumes it'], ['900', 'for 15 minutes'], ['3600', 'for 1 hour'], ['14400', 'for 4 hours'], ['86400', 'for 1 day'], ['604800', 'for 7 days']] };

const page = { all: null, problem: null };
const answers = new Answers();
let timer = null;

async function load(app) {
  const turn = answers.ask();
  try {
    const all = (await get('/queues')).queues;
    if (!answers.take(turn)) return;
    page.all = all;
    page.problem = null;
  } catch (problem) { page.problem = problem; }
  app.draw();
}

async function act(app, queue, action) {
  const pausing = action === 'PAUSE';
  const answer = await confirmed({ title: (pausing ? 'Pause the queue ' : 'Resume the queue ') + queue.queue, verb: pausing ? 'Pause' : 'Resume',
    text: pausing ? 'No server starts its jobs any more. Those that run go on to their end, and new ones may be put in.' : 'Servers start its jobs again, within about a second.',
    choice: pausing ? HOW_LONG : null });
  if (!answer) return;
  try {
    page.all = (await post('/queues', { queue: queue.queue, action, why: answer.why, seconds: pausing && answer.choice ? Number(answer.choice) : null })).queues;
    answers.forget();
    toast(pausing ? 'Paused.' : 'Resumed.');
  } catch (problem) { toast(problem.message + (problem.fix ? ' ' + problem.fix : ''), true); }
  app.draw();
}

/** A word as the search field takes it. */
const quoted = (word) => /\s/.test(word) ? '"' + word + '"' : word;

const standing = (pause) => pause
  ? html`<span class="badge parked">${icon('park')}Paused</span> ${moment(pause.since)} by <span>${pause.by}</span>${pause.why ? html`: <span>${pause.why}</span>` : nothing}
    <span class="dim">· ${pause.until ? html`resumes ${moment(pause.until)}` : 'until somebody resumes it'}</span>`
  : html`<span class="badge succeeded">${icon('play')}Open</span>`;

/** How its jobs are taken: one line for each way in which servers do it. */
const limits = (served) => served.length ? served.map((way) => html`<span class="args">${way.words ?? 'no limit of its own'}${way.words && way.servers > 1 ? ' on each of ' + number(way.servers) + ' servers' : ''}</span>`)
  : html`<span class="failed strong">no server serves it</span>`;

const row = (app, queue) => html`<tr>
  <td class="name strong">${link('/jobs?state=ENQUEUED&q=' + encodeURIComponent('queue:' + quoted(queue.queue)), queue.queue)}</td>
  <td class="num" data-name="waiting">${number(queue.waiting)}${queue.more ? '+' : ''}</td>
  <td class="num" data-name="oldest">${queue.oldestMs == null ? '–' : span(queue.oldestMs)}</td>
  <td class="wrap">${limits(queue.served)}</td>
  <td class="wrap standing">${standing(queue.pause)}</td>
  ${mayAct(app) ? html`<td class="num act">${queue.pause ? html`<button @click=${() => act(app, queue, 'PAUSE')}>Change</button>
    <button class="primary" @click=${() => act(app, queue, 'RESUME')}>Resume</button>` : html`<button @click=${() => act(app, queue, 'PAUSE')}>Pause</button>`}</td>` : nothing}</tr>`;

export const queues = {
  title: 'Queues',
  enter(app) { load(app); timer = setInterval(() => { if (!document.hidden) load(app); }, AGAIN_MILLIS); },
  leave() { clearInterval(timer); },
  view(app) {
    return html`<h1>Queues</h1>${page.problem && !page.all ? failed(page.problem, () => load(app)) : !page.all ? skeleton(4)
      : !page.all.length ? empty('There is no queue yet.', 'A queue appears with its first job.')
      : html`<div class="scroll"><table class="queues stacked long"><thead><tr><th scope="col">Queue</th><th scope="col" class="num">Waiting now</th><th scope="col" class="num">Oldest</th><th scope="col">Limits</th><th scope="col">State</th>${mayAct(app) ? html`<th scope="col"><span class="sr">What can be done</span></th>` : nothing}</tr></thead>
        <tbody>${repeat(page.all, (queue) => queue.queue, (queue) => row(app, queue))}</tbody></table></div>`}`;
  },
};
