// Numbers and times as people read them. Zone and theme are this browser's choice.

export const settings = {
  get(name, usual) {
    try { return localStorage.getItem('treadle.' + name) ?? usual; } catch { return usual; }
  },
  set(name, value) {
    try { localStorage.setItem('treadle.' + name, value); } catch { /* private window: forgotten with it */ }
  },
};

export const zone = () => settings.get('zone', 'local') === 'utc' ? 'UTC' : undefined;
export const zoneName = () => zone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'local time';

export const number = (n) => n == null ? '–' : Number(n).toLocaleString('en');

export function compact(n) {
  if (n == null) return '–';
  if (n < 10_000) return number(n);
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(n);
}

/** Milliseconds: 12 ms, 3.4 s, 2 min 10 s, 3 h 12 min, 2 d 4 h. */
export function span(ms) {
  if (ms == null) return '–';
  if (ms < 0) ms = 0;
  if (ms < 1000) return Math.round(ms) + ' ms';
  const s = ms / 1000;
  if (s < 60) return (s < 10 ? s.toFixed(1) : Math.round(s)) + ' s';
  const pair = (much, unit, little, small) => much + ' ' + unit + (little ? ' ' + little + ' ' + small : '');
  if (s < 3600) return pair(Math.floor(s / 60), 'min', Math.floor(s % 60), 's');
  if (s < 86400) return pair(Math.floor(s / 3600), 'h', Math.floor(s % 3600 / 60), 'min');
  return pair(Math.floor(s / 86400), 'd', Math.floor(s % 86400 / 3600), 'h');
}

/** Milliseconds in one unit, for axes. */
export const short = (ms) => ms < 1000 ? Math.round(ms) + ' ms' : ms < 600_000 ? Math.round(ms / 100) / 10 + ' s' : ms < 36_000_000 ? Math.round(ms / 60_000) + ' min' : Math.round(ms / 3_600_000) + ' h';

export const ago = (time) => {
  const ms = Date.now() - new Date(time).getTime();
  return ms < 0 ? 'in ' + span(-ms) : span(ms) + ' ago';
};

export const clock = (time) => new Date(time).toLocaleTimeString('en-GB', { timeZone: zone() });

export function when(time) {
  const date = new Date(time);
  const day = (d) => d.toLocaleDateString('en-CA', { timeZone: zone() });
  return day(date) === day(new Date()) ? clock(date) : day(date) + ' ' + clock(date);
}

export const exact = (time) => {
  const date = new Date(time);
  return date.toLocaleDateString('en-CA', { timeZone: zone() }) + ' ' + clock(date) + '.'
    + String(date.getUTCMilliseconds()).padStart(3, '0') + ' ' + zoneName();
};

export function bytes(n) {
  if (n == null || n < 0) return '–';
  if (n === 0) return '0 MB';
  const mega = n / 1048576;
  return mega >= 1000 ? (mega / 1024).toFixed(1) + ' GB' : (mega < 10 ? mega.toFixed(1) : Math.round(mega)) + ' MB';
}

export const percent = (share) => share == null || share < 0 ? '–' : Math.round(share * 100) + ' %';

/** com.acme.mail.Send -> Send; a name that is not that of a class, such as invoice.send, stays as it is. */
export function simple(type) {
  const last = String(type).slice(String(type).lastIndexOf('.') + 1).replaceAll('$', '.');
  return /^\p{Lu}/u.test(last) ? last : String(type);
}

/** com.acme.Slips#generate(long) -> Slips.generate */
export const called = (target) => {
  const [type, method] = String(target).split('#');
  return callee({ type, method });
};

/** What a job calls, for people: Send, or Slips.generate */
export function callee(job) {
  if (job.name) return job.name;
  const type = simple(job.type);
  return job.method ? type + '.' + job.method.replace(/\(.*$/, '') : type;
}

export const STATES = {
  SCHEDULED: { word: 'Scheduled', tone: 'scheduled', icon: 'clock' },
  ENQUEUED: { word: 'Enqueued', tone: 'enqueued', icon: 'hourglass' },
  PROCESSING: { word: 'Running', tone: 'running', icon: 'play' },
  SUCCEEDED: { word: 'Succeeded', tone: 'succeeded', icon: 'check' },
  FAILED: { word: 'Failed', tone: 'failed', icon: 'cross' },
  CANCELLED: { word: 'Cancelled', tone: 'cancelled', icon: 'slash' },
  PARKED: { word: 'Parked', tone: 'parked', icon: 'park' },
  WAITING: { word: 'Waiting', tone: 'waiting', icon: 'gate' },
};

/** PT4S, PT1H30M or P2D in milliseconds; null if it is something else. */
function millis(text) {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  return found ? ((Number(found[1] ?? 0) * 24 + Number(found[2] ?? 0)) * 60 + Number(found[3] ?? 0)) * 60_000 + Number(found[4] ?? 0) * 1000 : null;
}

/** A rule of retries as it is stored, for people: attempts, first delay, factor, longest delay, jitter. */
export function again(rule) {
  const [attempts, first, factor, most] = rule.split(' ');
  if (!/^\d+$/.test(attempts) || millis(first) == null || millis(most) == null) return rule;
  if (attempts === '1') return 'none: 1 attempt';
  const grows = Number(factor) > 1 && Number(attempts) > 2 && millis(most) > millis(first);
  const apart = grows ? span(millis(first)) + ' after the first, then ' + Number(factor) + ' times as long, at most ' + span(millis(most)) : span(millis(first)) + ' apart';
  return 'up to ' + attempts + ' attempts, ' + apart;
}
