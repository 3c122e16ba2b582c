// Pieces that every page uses.

import { html, svg, nothing } from './lib/lit-html.js';
import { base } from './api.js';
import { STATES, ago, exact } from './format.js';

const ICONS = {
  clock: svg`<circle cx="8" cy="8" r="6"></circle><path d="M8 4.8V8l2.2 1.6"></path>`,
  hourglass: svg`<path d="M4.5 2h7M4.5 14h7M5.2 2c0 4 5.6 4 5.6 6s-5.6 2-5.6 6M10.8 2c0 4-5.6 4-5.6 6s5.6 2 5.6 6"></path>`,
  play: svg`<circle cx="8" cy="8" r="6.2"></circle><path class="solid" d="M6.4 5.2v5.6L11 8z"></path>`,
  check: svg`<circle cx="8" cy="8" r="6.2"></circle><path d="m5.2 8.2 2 2 3.8-4.2"></path>`,
  cross: svg`<path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4zM5.8 5.8l4.4 4.4m0-4.4-4.4 4.4"></path>`,
  slash: svg`<circle cx="8" cy="8" r="6.2"></circle><path d="m4 12 8-8"></path>`,
  park: svg`<rect x="2" y="2" width="12" height="12" rx="2"></rect><path d="M6.2 12V4.5h2.4a2.1 2.1 0 0 1 0 4.2H6.2"></path>`,
  search: svg`<circle cx="7" cy="7" r="4.6"></circle><path d="m10.5 10.5 3.5 3.5"></path>`,
  home: svg`<path d="M2 8 8 2.6 14 8M3.8 6.8V13h8.4V6.8"></path>`,
  list: svg`<path d="M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5"></path>`,
  server: svg`<rect x="2" y="2.5" width="12" height="4.5" rx="1"></rect><rect x="2" y="9" width="12" height="4.5" rx="1"></rect><path d="M4.5 4.8h.5m-.5 6.4h.5"></path>`,
  flag: svg`<path d="M3.5 14V2.5h8.2l-1.8 3 1.8 3H3.5"></path>`,
  book: svg`<path d="M8 3.6C6.400 2.400 4.500 2.400 2.500 2.800v9.600c2-.4 3.900-.4 5.500.8 1.600-1.200 3.500-1.200 5.500-.8V2.800c-2-.4-3.900-.4-5.500.8zM8 3.600v9.600"></path>`,
  repeat: svg`<path d="M3 8a5 5 0 0 1 8.600-3.400L13.500 6.500M13.500 3v3.500H10M13 8a5 5 0 0 1-8.600 3.400L2.500 9.500M2.500 13V9.500H6"></path>`,
  queue: svg`<path d="M2.500 3.500h11M2.500 8h11M2.500 12.500h6"></path>`,
  gate: svg`<path d="M2.5 14V2M13.5 14V2M2.5 4.500h11M2.5 11.500h11M8 4.500v7"></path>`,
  code: svg`<path d="m5.500 4.500-3.500 3.500 3.500 3.500M10.500 4.500 14 8l-3.500 3.500"></path>`,
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${ICONS[name] ?? nothing}</svg>`;

export const stateBadge = (name) => {
  const state = STATES[name] ?? { word: name, tone: 'cancelled', icon: 'slash' };
  return html`<span class="badge ${state.tone}">${icon(state.icon)}${state.word}</span>`;
};

/** A moment: how long ago, and exactly when on the pointer. */
export const moment = (time) => time ? html`<time datetime=${time} title=${exact(time)}>${ago(time)}</time>` : '–';

export const mayAct = (app) => app.me && app.me.role !== 'VIEWER';

export const link = (to, content, cls) => html`<a href=${base + to} class=${cls ?? nothing}>${content}</a>`;

export const empty = (title, text) => html`<div class="empty"><p class="title">${title}</p><p>${text}</p></div>`;

export const failed = (problem, retry) => html`
  <div class="card problem" role="alert"><p class="title">${problem.message}</p>
  ${problem.fix ? html`<p>${problem.fix}</p>` : nothing}
  ${retry ? html`<button @click=${retry}>Try again</button>` : nothing}</div>`;

export const skeleton = (rows = 6) => html`<div class="skeleton" aria-busy="true" aria-label="Loading">
  ${[...Array(rows).keys()].map(() => html`<div></div>`)}</div>`;

export const tile = (name, value, note, to, tone) => {
  const body = html`<span class="name">${name}</span><span class="value ${tone ?? ''}">${value}</span><span class="note">${note}</span>`;
  return to ? html`<a class="tile" href=${base + to}>${body}</a>` : html`<div class="tile">${body}</div>`;
};

let toastTimer = null;
export function toast(text, bad) {
  const box = document.getElementById('toast');
  box.textContent = text;
  box.className = 'on' + (bad ? ' bad' : '');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.className = ''; }, bad ? 9000 : 4500);
}

/**
 * Asks in a dialog; gives what was typed as the reason, or null. With "typed", that text has to be typed first; with
 * "choice", one of its options [value, words] is chosen as well; with "value", a text is asked for that has to fit. "wrong"
 * says what was wrong with the answer before.
 */
export function confirmed({ title, text, verb, danger, typed, choice, value, wrong }) {
  const dialog = document.getElementById('dialog');
  return new Promise((resolve) => {
    dialog.querySelector('h2').textContent = title;
    dialog.querySelector('.text').textContent = text;
    const why = dialog.querySelector('input[name=why]');
    const proof = dialog.querySelector('.proof');
    const answer = proof.querySelector('input');
    const go = dialog.querySelector('button.go');
    why.value = '';
    answer.value = '';
    proof.hidden = !typed;
    proof.querySelector('span').textContent = typed ? 'Type “' + typed + '” to continue' : '';
    const chosen = dialog.querySelector('.choice');
    chosen.hidden = !choice;
    chosen.querySelector('span').textContent = choice?.name ?? '';
    chosen.querySelector('select').replaceChildren(...(choice?.options ?? []).map(([value, words]) => new Option(words, value)));
    const field = dialog.querySelector('.value');
    const written = field.querySelector('textarea');
    field.hidden = !value;
    field.querySelector('span').textContent = value?.name ?? '';
    written.value = value?.text ?? '';
    const judge = () => written.setCustomValidity(!value || value.fits(written.value) ? '' : value.else);
    written.oninput = judge;
    judge();
    const refused = dialog.querySelector('.refused');
    refused.hidden = !wrong;
    refused.textContent = wrong ?? '';
    go.textContent = verb;
    go.className = 'go ' + (danger ? 'danger' : 'primary');
    go.disabled = Boolean(typed);
    answer.oninput = () => { go.disabled = answer.value.trim() !== String(typed); };
    dialog.onclose = () => resolve(dialog.returnValue === 'go' ? { why: why.value, choice: chosen.querySelector('select').value, value: written.value } : null);
    dialog.returnValue = '';
    // the first button of a form is the one that Enter presses, and it stands last
    dialog.querySelector('button.no').onclick = () => dialog.close('no');
    dialog.showModal();
    (typed ? answer : value ? written : why).focus();
  });
}
