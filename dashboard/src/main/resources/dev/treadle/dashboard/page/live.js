// One live stream for all tabs' sake kept short: closed while hidden, resumed where it stopped, polling where it is blocked.

import { Answers, base, get } from './api.js';

export const state = { tick: null, points: [], vitals: [], window: '5m', shown: '5m', connected: false, signedOut: false, lostAt: null, paused: false };

const POINTS_MAX = 300;
const VITALS_MAX = 600;
const POLL_MILLIS = 5000;
const PATIENCE_MILLIS = 10000;

const listeners = new Set();
const answers = new Answers();
let source = null;
let poll = null;
let lastHeard = Date.now();

export const listen = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };
const tell = () => listeners.forEach((listener) => listener());

/** Everything at once: at the start, after a gap, and when another window is chosen. */
export async function refresh() {
  const turn = answers.ask();
  const all = await get('/overview', { window: state.window });
  if (!answers.take(turn)) return;
  state.tick = all.now;
  state.points = all.points;
  state.shown = all.window;
  state.vitals = all.vitals;
  state.failures = all.failures;
  heard();
  tell();
}

const again = () => refresh().catch((problem) => {
  state.signedOut = problem.code === 'signed-out' || problem.code === 'not-signed-in';
  if (state.signedOut) tell();
});

export function choose(window) {
  state.window = window;
  answers.forget();
  return refresh();
}

export function pause(on) {
  state.paused = on;
  if (on) stop(); else start();
  tell();
}

function heard() {
  lastHeard = Date.now();
  state.connected = true;
  state.signedOut = false;
  state.lostAt = null;
}

function onTick(event) {
  const tick = JSON.parse(event.data);
  heard();
  state.tick = tick;
  if (tick.point && state.shown === '5m') state.points = [...state.points, tick.point].slice(-POINTS_MAX);
  state.vitals = [...state.vitals, tick.vitals].slice(-VITALS_MAX);
  tell();
}

function stop() {
  source?.close();
  source = null;
  clearInterval(poll);
  poll = null;
}

export function start() {
  if (state.paused || source || document.hidden) return;
  again();
  source = new EventSource(base + '/api/v1/events');
  source.addEventListener('tick', onTick);
  source.addEventListener('resync', () => again());
  source.onerror = () => {
    if (source && source.readyState === EventSource.CLOSED) {
      source = null;
      if (!poll) poll = setInterval(() => again(), POLL_MILLIS);
    }
  };
}

document.addEventListener('visibilitychange', () => { if (document.hidden) stop(); else start(); });

// other windows than the live one move on by themselves; and silence is noticed
setInterval(() => {
  if (state.paused || document.hidden) return;
  if (state.window !== '5m' && source) again();
  if (Date.now() - lastHeard > PATIENCE_MILLIS && state.connected) {
    state.connected = false;
    state.lostAt = lastHeard;
  }
  if (!state.connected) tell();
}, POLL_MILLIS);
