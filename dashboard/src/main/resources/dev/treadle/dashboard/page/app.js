// The frame around all pages: navigation, verdict, keys, theme.

import { html, nothing, render } from './lib/lit-html.js';
import { base, get } from './api.js';
import { clock, compact, settings, span, zoneName } from './format.js';
import { listen, pause, start, state } from './live.js';
import { empty, icon, link, toast } from './parts.js';
import { failures } from './failures.js';
import { job } from './job.js';
import { jobs } from './jobs.js';
import { operationBar, resumeOperation } from './bulk.js';
import { audit, docs, problems } from './more.js';
import { queues } from './queues.js';
import { recurring } from './recurring.js';
import { overview } from './overview.js';
import { servers } from './servers.js';

const PAGES = [
  ['/', overview], ['/jobs', jobs], ['/jobs/{id}', job], ['/failures', failures], ['/recurring', recurring], ['/queues', queues], ['/servers', servers], ['/servers/{id}', servers],
  ['/problems', problems], ['/audit', audit], ['/docs', docs],
];

const NAV = [
  ['/', 'Overview', 'home', 'o'], ['/jobs', 'Jobs', 'list', 'j'], ['/failures', 'Failures', 'cross', 'f'], ['/recurring', 'Recurring', 'repeat', 'r'],
  ['/queues', 'Queues', 'queue', 'q'], ['/servers', 'Servers', 'server', 's'],
  ['/problems', 'Problems', 'flag', 'p'], ['/audit', 'Audit', 'book', 'a'], ['/docs', 'API', 'code', 'd'],
];

const app = { path: '/', search: '', me: null, page: null, operation: null, help: false, draw, go };
let frame = 0;

function find(path) {
  for (const [pattern, page] of PAGES) {
    const wanted = pattern.split('/');
    const given = path.split('/');
    if (wanted.length !== given.length) continue;
    const parameters = {};
    if (wanted.every((w, i) => w.startsWith('{') ? (parameters[w.slice(1, -1)] = given[i]) : w === given[i])) return { page, parameters };
  }
  return null;
}

function route() {
  const path = location.pathname.slice(base.length) || '/';
  const found = find(path);
  app.page?.leave?.(app);
  app.path = path;
  app.search = location.search;
  app.page = found?.page ?? null;
  document.title = (app.page?.title ?? 'Not found') + ' · ' + (app.me?.about.title ?? 'Treadle');
  app.page?.enter?.(app, found.parameters);
  draw();
  // on a phone the pages stand in a row that is longer than the screen
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const here = document.querySelector('nav a[aria-current="page"]');
    if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 60;
    const tab = document.querySelector('.tabs a[aria-selected="true"]');
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 60;
  }));
}

function go(to) {
  history.pushState(null, '', base + to);
  route();
  document.querySelector('main')?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// ---- verdict ----

const LEVELS = { HEALTHY: ['succeeded', 'check', 'Healthy'], IDLE: ['enqueued', 'clock', 'Idle'], DEGRADED: ['warn', 'flag', 'Degraded'], DOWN: ['failed', 'cross', 'Down'] };

function verdict() {
  if (state.signedOut) {
    return html`<div class="verdict unknown" role="status">${icon('flag')}<p>You are not signed in any more. <a href=${location.href} @click=${(event) => { event.preventDefault(); location.reload(); }}>Sign in again</a></p></div>`;
  }
  if (!state.connected && state.lostAt) {
    return html`<div class="verdict unknown" role="status">${icon('flag')}<p>Connection lost ${span(Date.now() - state.lostAt)} ago; these numbers are from ${clock(state.lostAt)}. Reconnecting…</p></div>`;
  }
  const tick = state.tick;
  if (!tick) return html`<div class="verdict unknown" role="status">${icon('clock')}<p>Looking…</p></div>`;
  const [tone, picture] = LEVELS[tick.verdict.level];
  return html`<div class="verdict ${tone}" role="status" data-level=${tick.verdict.level}>${icon(picture)}
    <p>${tick.verdict.link ? html`<a href=${base + tick.verdict.link}>${tick.verdict.sentence}</a>` : tick.verdict.sentence}</p>
    <span class="asof">as of ${clock(tick.at)}</span></div>`;
}

// ---- frame ----

function count(path) {
  const c = state.tick?.counts;
  if (!c) return nothing;
  const n = path === '/jobs' ? (c.PROCESSING ?? 0) + (c.ENQUEUED ?? 0) : path === '/failures' ? c.FAILED ?? 0
    : path === '/queues' ? state.tick.queues : path === '/servers' ? state.tick.servers.filter((s) => !s.goneAt).length : 0;
  return n ? html`<b class=${path === '/failures' ? 'failed' : path === '/queues' && state.tick.paused ? 'warn' : ''} title=${path === '/queues' && state.tick.paused ? state.tick.paused + ' paused' : nothing}>${compact(n)}</b>` : nothing;
}

const current = (path) => path === '/' ? app.path === '/' : app.path.startsWith(path);

function frameView() {
  const about = app.me?.about;
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href=${base + '/'}><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"></rect><path d="M7 22h18M9 22 20 10l4 3"></path></svg>
        <span>${about?.title ?? 'Treadle'}</span></a>
      ${about?.environment ? html`<span class="env">${about.environment}</span>` : nothing}
      <span class="push"></span>
      <button class="quiet" title="Pause or resume live numbers (p)" aria-pressed=${state.paused ? 'true' : 'false'} @click=${() => pause(!state.paused)}>
        <i class="dot ${state.paused ? '' : state.connected ? 'on' : 'off'}"></i>${state.paused ? 'Paused' : 'Live'}</button>
      <button class="quiet wide" title="Your time zone or UTC" @click=${zone}>${zoneName()}</button>
      <button class="quiet" title="Light, dark, or the system's" @click=${theme}>${{ auto: 'Auto', light: 'Light', dark: 'Dark' }[settings.get('theme', 'auto')]}</button>
      <button class="quiet wide" title="Keys (?)" aria-label="Keyboard shortcuts" @click=${() => { app.help = !app.help; draw(); }}>?</button>
      ${app.me ? html`<span class="user wide" title="Your role">${app.me.role.toLowerCase()}</span>` : nothing}
    </header>
    <div class="frame">
      <nav aria-label="Pages">${NAV.map(([path, word, picture]) => html`<a href=${base + path} aria-current=${current(path) ? 'page' : 'false'}>${icon(picture)}<span>${word}</span>${count(path)}</a>`)}</nav>
      <main id="main" tabindex="-1">${verdict()}${operationBar(app)}
        ${app.page ? app.page.view(app) : html`<h1>Not found</h1>${empty('There is no such page.', link('/', 'Go to the overview'))}`}</main>
    </div>
    ${app.help ? help() : nothing}`;
}

const help = () => html`<aside class="help card" role="dialog" aria-label="Keyboard shortcuts"><header><h2>Keys</h2><button @click=${() => { app.help = false; draw(); }}>Close</button></header>
  <dl class="facts"><dt><kbd>/</kbd></dt><dd>search jobs</dd>${NAV.map(([, word, , key]) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${word}</dd>`)}
  <dt><kbd>p</kbd></dt><dd>pause or resume live numbers</dd><dt><kbd>t</kbd></dt><dd>theme</dd><dt><kbd>?</kbd></dt><dd>this</dd></dl></aside>`;

function draw() {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    render(frameView(), document.getElementById('app'));
  });
}

// ---- choices of this browser ----

function applyTheme() {
  const chosen = settings.get('theme', 'auto');
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

function theme() {
  settings.set('theme', { auto: 'dark', dark: 'light', light: 'auto' }[settings.get('theme', 'auto')]);
  applyTheme();
  draw();
}

function zone() {
  settings.set('zone', settings.get('zone', 'local') === 'utc' ? 'local' : 'utc');
  toast('Times are in ' + zoneName() + '.');
  draw();
}

// ---- keys and links ----

let g = 0;
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector('dialog[open]')) return;
  if (Date.now() - g < 1000) {
    g = 0;
    const to = NAV.find(([, , , key]) => key === event.key);
    if (to) { event.preventDefault(); go(to[0]); }
    return;
  }
  if (event.key === 'g') g = Date.now();
  else if (event.key === '/') {
    event.preventDefault();
    if (app.path !== '/jobs') go('/jobs');
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('q')?.focus()));
  } else if (event.key === '?') { app.help = !app.help; draw(); }
  else if (event.key === 'Escape' && app.help) { app.help = false; draw(); }
  else if (event.key === 'p') pause(!state.paused);
  else if (event.key === 't') theme();
});

document.addEventListener('click', (event) => {
  const a = event.target.closest?.('a[href]');
  if (!a || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || a.target) return;
  const url = new URL(a.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(base + '/') || url.pathname.startsWith(base + '/api/') || a.getAttribute('href').startsWith('#')) return;
  event.preventDefault();
  go(url.pathname.slice(base.length) + url.search);
});

window.addEventListener('popstate', route);

// ---- begin ----

const box = document.createElement('div');
render(html`<div id="toast" role="status" aria-live="polite"></div>
  <dialog id="dialog" aria-labelledby="dialog-title"><form method="dialog"><h2 id="dialog-title"></h2><p class="text"></p>
  <p class="refused" role="alert" hidden></p>
  <label class="value" hidden><span></span><textarea name="value" rows="4" spellcheck="false" autocomplete="off"></textarea></label>
  <label>Why? <span class="dim">(optional, goes into the audit log)</span><input name="why" maxlength="500" autocomplete="off"></label>
  <label class="choice" hidden><span></span><select name="choice"></select></label>
  <label class="proof" hidden><span></span><input autocomplete="off"></label>
  <div class="actions"><button type="button" class="no">Never mind</button><button class="go" value="go">Do it</button></div></form></dialog>`, box);
document.body.append(box);

applyTheme();
listen(draw);
route();
start();
get('/me').then((me) => { app.me = me; route(); resumeOperation(app); }).catch((problem) => toast(problem.message, true));
