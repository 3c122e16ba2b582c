// How many jobs the server of this process admits at once, what the guard of its heap made of that, and its resources.

import { html, nothing } from './lib/lit-html.js';
import { get } from './api.js';
import { bytes, number, percent } from './format.js';

const AGAIN_MILLIS = 2_000;
const page = { answer: null, askedAt: 0 };

/** Drawn each second with the page around it, and asked for every other one. */
export function admission() {
  if (Date.now() - page.askedAt >= AGAIN_MILLIS) {
    page.askedAt = Date.now();
    get('/admission').then((answer) => { page.answer = answer; }, () => { /* the verdict says it */ });
  }
  const answer = page.answer;
  if (!answer || !answer.admitted || (!answer.admitted.guarded && !answer.resources.length)) return nothing;
  return html`<h2 class="section">Admission in this process</h2>
    ${answer.admitted.guarded ? guard(answer.admitted) : nothing}
    ${answer.resources.length ? resources(answer.resources) : nothing}`;
}

const guard = (a) => html`<p class="lead" data-guard>The heap guard admits <b>${number(a.admitted)}</b> of ${number(a.workers)} jobs at once. After the last collections
  ${bytes(a.live)} of ${bytes(a.max)} were live (${percent(a.max ? a.live / a.max : 0)}). It lowered ${times(a.lowered)} and raised ${times(a.raised)}${a.last ? html`; last it ${a.last}` : nothing}. After a rest it
  begins with few again.</p>`;

const times = (n) => n === 1 ? 'once' : `${number(n)} times`;

const resources = (all) => html`<div class="scroll"><table class="resources stacked"><thead><tr><th scope="col">Resource</th><th scope="col" class="num">In use</th>
  <th scope="col" class="num">Permits</th><th scope="col">&nbsp;</th><th scope="col" class="num">Waiting</th></tr></thead>
  <tbody>${all.map((r) => html`<tr><td class="strong name">${r.name}</td><td class="num" data-name="in use">${number(r.inUse)}</td>
    <td class="num" data-name="permits">${r.permits == null ? html`<span title="This node does not know it: no job waits for it here.">not set</span>` : number(r.permits)}</td>
    <td>${r.permits == null ? nothing : html`<meter min="0" max=${r.permits} value=${r.inUse} aria-label="Share that is in use"></meter>`}</td>
    <td class="num" data-name="waiting">${number(r.waiting)}</td></tr>`)}</tbody></table></div>`;
