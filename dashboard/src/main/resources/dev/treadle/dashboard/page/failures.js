// Failed jobs by cause, so that four hundred failures are one thing to mend.

import { html, nothing } from './lib/lit-html.js';
import { Answers, get } from './api.js';
import { called, exact, number, simple } from './format.js';
import { empty, failed, link, moment, skeleton } from './parts.js';

const AGAIN_MILLIS = 5000;
const page = { groups: null, problem: null };
const answers = new Answers();
let timer = null;

async function load(app) {
  const turn = answers.ask();
  try {
    const groups = (await get('/failures')).groups;
    if (!answers.take(turn)) return;
    page.groups = groups;
    page.problem = null;
  } catch (problem) { page.problem = problem; }
  app.draw();
}

const list = (g) => '/jobs?state=FAILED&cause=' + encodeURIComponent(g.cause);

export const failures = {
  title: 'Failures',
  enter(app) { load(app); timer = setInterval(() => { if (!document.hidden) load(app); }, AGAIN_MILLIS); },
  leave() { clearInterval(timer); },
  view(app) {
    return html`<h1>Failures</h1><p class="dim lead">Jobs that have failed for good, grouped by exception and place. Fix the cause, then open the group and run them again.</p>
      ${page.problem ? failed(page.problem, () => load(app)) : !page.groups ? skeleton(4)
      : !page.groups.length ? empty('Nothing has failed.', 'Jobs whose attempts are used up appear here.')
      : html`<div class="groups">${page.groups.map((g) => html`<article class="card group">
          <div class="bignum failed">${number(g.jobs)}${g.more ? '+' : ''}<span>job${g.jobs === 1 ? '' : 's'}</span></div>
          <div class="grow"><h2>${link(list(g), simple(g.type))}</h2>
            <p class="message">${g.message || 'no message'}</p>
            <p class="dim">${g.where ? html`at <code>${g.where}</code>` : nothing} in <code>${called(g.target)}</code></p>
            <p class="dim">${g.first === g.last ? html`<span title=${exact(g.last)}>${moment(g.last)}</span>` : html`<span title=${exact(g.first)}>first ${moment(g.first)}</span>, <span title=${exact(g.last)}>last ${moment(g.last)}</span>`},
              ${link('/jobs/' + g.latest, 'the latest one')}</p></div>
          ${link(list(g), 'Jobs', 'button')}</article>`)}</div>`}`;
  },
};
