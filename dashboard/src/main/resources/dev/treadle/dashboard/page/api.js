// The API as functions. The base path is data in the document, never compiled in.

export const base = document.querySelector('meta[name="treadle-base"]').content;

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || 'The server answered ' + status + '.');
    this.status = status;
    this.code = body.code;
    this.fix = body.fix;
  }
}

async function call(method, path, body) {
  const options = { method, headers: { Accept: 'application/json' }, credentials: 'same-origin' };
  if (method !== 'GET') {
    options.headers['Content-Type'] = 'application/json';
    options.headers['X-Treadle-Request'] = '1';
    options.body = JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(base + '/api/v1' + path, options);
  } catch {
    throw new Problem(0, { detail: 'The server cannot be reached.', code: 'unreachable' });
  }
  if (response.status === 204) return null;
  let json = {};
  try { json = await response.json(); } catch { /* said by the status */ }
  if (!response.ok && !(path === '/health' && response.status === 503)) throw new Problem(response.status, json);
  return json;
}

/**
 * The order of the answers to one question that is asked again and again. One that a later one has overtaken is not
 * taken, and none that was asked for before what is wanted changed: const turn = answers.ask(); … if (answers.take(turn)) …
 */
export class Answers {
  #asked = 0;
  #taken = 0;
  ask() { return ++this.#asked; }
  take(turn) {
    if (turn <= this.#taken) return false;
    this.#taken = turn;
    return true;
  }
  /** What is under way is not wanted any more. */
  forget() { this.#taken = this.#asked; }
}

export const get = (path, query) => {
  const parts = Object.entries(query ?? {}).filter(([, v]) => v != null && v !== '');
  const text = new URLSearchParams(parts).toString();
  return call('GET', path + (text ? '?' + text : ''));
};
export const post = (path, body) => call('POST', path, body);
export const del = (path) => call('DELETE', path);
