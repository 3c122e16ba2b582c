// The steps of one job: what was done once, when, for how long, and what it returned.

import { html, nothing } from './lib/lit-html.js';
import { get } from './api.js';
import { exact, number, span } from './format.js';
import { moment } from './parts.js';

export const steps = { all: [], next: null };

export function forgetSteps() {
  Object.assign(steps, { all: [], next: null });
}

/** Asks for the first ones again, as far as they are shown. */
export async function askSteps(id, still) {
  const wanted = Math.max(1, steps.all.length);
  const all = [];
  let next = 0;
  do {
    const page = await get('/jobs/' + id + '/steps', { from: next });
    if (!still()) return;
    all.push(...page.steps);
    next = page.next;
  } while (next != null && all.length < wanted);
  Object.assign(steps, { all, next });
}

async function more(app, id, still) {
  const page = await get('/jobs/' + id + '/steps', { from: steps.next });
  if (!still()) return;
  Object.assign(steps, { all: [...steps.all, ...page.steps], next: page.next });
  app.draw();
}

/** What is asked before the job runs again; null if there is nothing to keep. */
export const choice = () => steps.all.length ? {
  name: 'Its recorded steps',
  options: [['RUN_AGAIN', 'Keep them: what was done is not done again'], ['RUN_FROM_START', 'Forget them: each step is done again']],
} : null;

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

const result = (step) => step.result == null ? html`<span class="dim">returned nothing</span>`
  : step.result.length <= 80 ? html`<code>${step.result}</code>`
    : html`<details><summary>Result${step.cut ? ', its beginning' : ''}</summary><pre class="json">${pretty(step.result)}</pre></details>`;

export const stepList = (app, id, still) => !steps.all.length ? nothing : html`<section class="card"><header><h2>Steps</h2>
    <span class="dim small">${number(steps.all.length)}${steps.next != null ? ' and more' : ''} recorded</span></header>
  <ol class="steps">${steps.all.map((step) => html`<li>
    <div class="head"><span class="strong">${step.name}</span>
      <span class="dim" title=${exact(step.at)}>${moment(step.at)}</span>
      <span class="dim gap">took ${span(step.tookMs)}, attempt ${step.attempt}</span></div>
    <div class="result">${result(step)}</div></li>`)}</ol>
  ${steps.next != null ? html`<p class="pad"><button @click=${() => more(app, id, still)}>Show more</button></p>` : nothing}</section>`;
