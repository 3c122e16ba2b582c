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

const signedOut = () => new Problem(401, { detail: 'You are not signed in any more.', fix: 'Reload the page to sign in again.', code: 'signed-out' });

/** The header that the application around the dashboard wants to see with every write: its own token. */
let writeHeader = null;

/** Some applications keep that token in a cookie for the page to read, and want to see it as it stands there. */
function tokenOfCookie() {
  const found = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]+)/);
  return found ? { ...writeHeader, 'X-XSRF-TOKEN': decodeURIComponent(found[1]) } : null;
}

async function send(method, path, body) {
  const options = { method, headers: { Accept: 'application/json' }, credentials: 'same-origin', redirect: 'manual' };
  if (method !== 'GET') {
    Object.assign(options.headers, writeHeader, { 'Content-Type': 'application/json', 'X-Treadle-Request': '1' });
    options.body = JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(base + '/api/v1' + path, options);
  } catch {
    throw new Problem(0, { detail: 'The server cannot be reached.', code: 'unreachable' });
  }
  // the API never redirects: a redirect is the application's way to a sign-in
  if (response.type === 'opaqueredirect') throw signedOut();
  const told = response.headers.get('X-Treadle-Write-Header')?.match(/^([^:]+): (.*)$/);
  if (told) writeHeader = { [told[1]]: told[2] };
  let json = {};
  if (response.status !== 204) try { json = await response.json(); } catch { /* said by the status */ }
  return { response, json };
}

/** Not the dashboard refused it but what stands before it: every refusal of the dashboard has a code. */
const refusedElsewhere = ({ response, json }) => (response.status === 401 || response.status === 403) && !json.code;

async function call(method, path, body) {
  let answer = await send(method, path, body);
  if (method !== 'GET' && refusedElsewhere(answer)) {
    // the token was of a session that has ended since
    await call('GET', '/me');
    answer = await send(method, path, body);
    const token = refusedElsewhere(answer) && tokenOfCookie();
    if (token) {
      writeHeader = token;
      answer = await send(method, path, body);
    }
  }
  const { response, json } = answer;
  if (response.status === 204) return null;
  if (response.status === 401 && !json.code) throw signedOut();
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
