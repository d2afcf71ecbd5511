'use strict';
const PAGE = 50;
const byId = id => document.getElementById(id);
// without the credentials that a browser may have been given in the address
const api = location.origin + location.pathname.replace(/\/$/, '');

const CAUSES = {
  PROVIDER_UNAVAILABLE: 'Provider unavailable',
  REJECTED: 'Rejected',
  CREDENTIALS_REFUSED: 'Credentials refused',
  POISON: 'Unreadable',
  OUTCOME_UNKNOWN: 'Outcome unknown',
  UNEXPECTED: 'Our own error',
};
const STATES = { OPEN: 'Open', REPLAYED: 'On its way', RESOLVED: 'Resolved', DISCARDED: 'Discarded' };
const ACTS = {
  SHOW: 'looked at everything', REPLAY: 'replayed it', REPLAY_FILTER: 'replayed it', REDRIVE: 'sent it again by itself',
  DISCARD: 'discarded it', DISCARD_FILTER: 'discarded it', CANCEL: 'cancelled a replay',
};

async function call(method, path, body) {
  const answer = await fetch(api + path, {
    method, headers: body ? { 'Content-Type': 'application/json' } : {}, body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(15000),
  });
  const json = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(json.detail ?? `${method} ${path} was answered ${answer.status}`);
  return json;
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

function button(label, act, className = '') {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}

function tell(text, bad = false) {
  byId('news').textContent = text;
  byId('news').className = bad ? 'news bad' : 'news';
  byId('news').hidden = !text;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function time(at) {
  const made = element('time', '', moment.format(new Date(at)));
  made.dateTime = made.title = at;
  return made;
}

const many = (count, thing) => `${count.toLocaleString()} ${thing}${count === 1 ? '' : 's'}`;

// The filter

function filter() {
  const wanted = {};
  for (const [name, value] of new FormData(byId('filter'))) {
    if (value.trim()) wanted[name] = name === 'since' || name === 'until' ? new Date(value).toISOString() : value.trim();
  }
  return wanted;
}

function inWords(wanted) {
  const words = [];
  if (wanted.cause) words.push('of the cause “' + CAUSES[wanted.cause] + '”');
  if (wanted.orderId) words.push('of order ' + wanted.orderId);
  if (wanted.since) words.push('that failed since ' + moment.format(new Date(wanted.since)));
  if (wanted.until) words.push('that failed before ' + moment.format(new Date(wanted.until)));
  return words.join(', ');
}

byId('filter').addEventListener('submit', event => event.preventDefault());
byId('filter').addEventListener('change', () => refresh());
byId('filter').addEventListener('reset', () => setTimeout(refresh));

// Causes as bars

function showCauses(counts) {
  const open = cause => counts[cause]?.OPEN ?? 0;
  const largest = Math.max(1, ...Object.keys(CAUSES).map(open));
  const all = Object.keys(CAUSES).reduce((sum, cause) => sum + open(cause), 0);
  byId('waiting').textContent = all === 0 ? 'Nothing waits.' : many(all, 'open letter');
  const chosen = byId('filter').elements.cause.value;
  for (const cause of Object.keys(CAUSES)) {
    let bar = byId('cause-' + cause);
    if (!bar) {
      bar = button('', () => choose(cause));
      bar.id = 'cause-' + cause;
      bar.append(element('span', 'name', CAUSES[cause]), element('span', 'track', element('span', 'fill')), element('span', 'count'));
      byId('causes').append(element('li', '', bar));
    }
    bar.querySelector('.fill').style.setProperty('--share', open(cause) / largest);
    bar.querySelector('.count').textContent = open(cause).toLocaleString();
    bar.classList.toggle('zero', open(cause) === 0);
    bar.setAttribute('aria-pressed', cause === chosen);
    bar.setAttribute('aria-label', `${CAUSES[cause]}: ${many(open(cause), 'open letter')}`);
  }
}

function choose(cause) {
  const select = byId('filter').elements.cause;
  select.value = select.value === cause ? '' : cause;
  refresh();
}

// Replays

function showJobs(jobs) {
  const recent = jobs.filter(job => job.state === 'RUNNING' || Date.now() - new Date(job.endedAt) < 600000).slice(0, 5);
  byId('jobs-section').hidden = recent.length === 0;
  const shown = new Set(recent.map(job => 'job-' + job.id));
  for (const item of [...byId('jobs').children]) if (!shown.has(item.id)) item.remove();
  for (const job of recent) {
    let item = byId('job-' + job.id);
    if (!item) {
      const cancel = button('Cancel', () => cancelJob(job.id));
      cancel.setAttribute('aria-label', 'Cancel replay ' + job.id);
      item = element('li', '', element('p'), element('progress'), cancel);
      item.id = 'job-' + job.id;
      byId('jobs').append(item);
    }
    const done = job.replayed + job.refused;
    item.querySelector('p').textContent = `Replay ${job.id} by ${job.request.by}: ${done} of ${many(job.letters, 'letter')}`
        + (job.refused ? `, ${job.refused} of them refused` : '')
        + (job.state === 'DONE' ? ', done' : job.state === 'CANCELLED' ? ', cancelled' : '')
        + (job.waitsFor ? `. It waits for ${job.waitsFor}.` : '');
    item.querySelector('progress').max = Math.max(1, job.letters);
    item.querySelector('progress').value = done;
    item.querySelector('progress').setAttribute('aria-label', 'Replay ' + job.id);
    item.querySelector('button').hidden = job.state !== 'RUNNING';
  }
}

async function cancelJob(id) {
  try {
    const job = await call('POST', `/jobs/${id}/cancel`);
    tell(`Replay ${id} is cancelled; ${many(job.waiting, 'letter')} stayed where they were.`);
  } catch (problem) {
    tell(problem.message, true);
  }
  refresh();
}

// The table: touches only what changed, so that the focus stays where it is

let pages = 1;

function row(letter) {
  const made = element('tr', '',
      element('td', 'id', button(letter.id, () => open(letter.id))),
      element('td', 'when', time(letter.lastFailedAt)),
      element('td', 'what', element('span', 'cause'), element('span', 'detail')),
      element('td', 'where', element('span', 'state')),
      element('td', 'number attempts'), element('td', 'number replays'));
  made.id = 'letter-' + letter.id;
  made.querySelector('button').setAttribute('aria-label', 'Letter ' + letter.id);
  return made;
}

function showLetters(letters, more) {
  const body = byId('letters');
  const shown = new Set(letters.map(letter => 'letter-' + letter.id));
  for (const item of [...body.children]) if (!shown.has(item.id)) item.remove();
  letters.forEach((letter, position) => {
    const item = byId('letter-' + letter.id) ?? row(letter);
    if (body.children[position] !== item) body.insertBefore(item, body.children[position] ?? null);
    item.querySelector('.when').replaceChildren(time(letter.lastFailedAt));
    item.querySelector('.cause').textContent = CAUSES[letter.cause];
    item.querySelector('.detail').textContent = letter.detail
        + (letter.quarantined ? ' · came back from every replay' : letter.redrivesItself ? ' · sent again by itself' : '');
    item.querySelector('.state').textContent = STATES[letter.state];
    item.querySelector('.state').className = 'state ' + letter.state;
    item.querySelector('.attempts').textContent = letter.attempts;
    item.querySelector('.replays').textContent = letter.replays + letter.redrives;
  });
  byId('none').hidden = letters.length > 0;
  byId('more').hidden = !more;
  const actable = letters.length > 0 && (filter().state ?? 'OPEN') === 'OPEN';
  byId('replay-all').disabled = byId('discard-all').disabled = !actable;
}

async function letters() {
  const found = [];
  let after = null;
  for (let page = 0; page < pages; page++) {
    const query = new URLSearchParams({ ...filter(), limit: PAGE, ...(after ? { after } : {}) });
    const answer = await call('GET', '?' + query);
    found.push(...answer.letters);
    after = answer.next;
    if (!after) break;
  }
  showLetters(found, after !== null);
}

byId('more').addEventListener('click', () => { pages++; refresh(); });

let last = '';

async function refresh() {
  const asked = JSON.stringify(filter());
  if (asked !== last) pages = 1;
  last = asked;
  try {
    const [causes, jobs] = await Promise.all([call('GET', '/causes'), call('GET', '/jobs'), letters()]);
    showCauses(causes);
    showJobs(jobs.jobs);
    if (byId('news').dataset.lost) { delete byId('news').dataset.lost; tell(''); }
  } catch (problem) {
    byId('news').dataset.lost = 'yes';
    tell(`What is shown may be old: ${problem.message}`, true);
  }
}

// One letter

let shown = null;

async function open(id, full = false) {
  try {
    const whole = await call('GET', `/${id}${full ? '?full=true' : ''}`);
    shown = whole;
    showLetter(whole, full);
    if (!byId('letter').open) byId('letter').showModal();
  } catch (problem) {
    tell(problem.message, true);
  }
}

function facts(letter) {
  const list = element('dl');
  const add = (name, ...value) => list.append(element('dt', '', name), element('dd', '', ...value));
  add('State', element('span', 'state ' + letter.state, STATES[letter.state]));
  add('Cause', `${CAUSES[letter.cause]}: ${letter.detail}`);
  if (letter.orderId) add('Order', letter.orderId);
  if (letter.eventId) add('Event', letter.eventId);
  add('First failed', time(letter.firstFailedAt));
  add('Last failed', time(letter.lastFailedAt));
  add('Replayed', `${letter.replays} by people, ${letter.redrives} by itself`);
  if (letter.origin) add('Came from', `${letter.origin.topic}-${letter.origin.partition} @ ${letter.origin.offset}`);
  return list;
}

function story(whole) {
  const attempts = whole.attempts.map(attempt => ({ at: attempt.at, act: false,
    text: `Attempt ${attempt.number}: ${attempt.detail}` + (attempt.outcomeUnknown ? '. It may have been accepted all the same.' : '') }));
  const acts = whole.history.map(act => ({ at: act.at, act: true,
    text: `${act.operator} ${ACTS[act.action]}` + (act.job ? ` (replay ${act.job})` : '') + (act.reason ? `: ${act.reason}` : '') }));
  const list = element('ol', 'story');
  for (const each of [...attempts, ...acts].sort((a, b) => new Date(a.at) - new Date(b.at))) {
    list.append(element('li', each.act ? 'act' : '', time(each.at), each.text));
  }
  return list;
}

function showLetter(whole, full) {
  const letter = whole.letter;
  byId('letter-title').textContent = 'Letter ' + letter.id;
  const body = byId('letter-body');
  body.replaceChildren(facts(letter));
  if (letter.state === 'OPEN' && whole.obstacle) body.append(element('p', 'problem', 'A replay is refused. ' + whole.obstacle.explanation));
  if (whole.attempts.length + whole.history.length > 0) body.append(element('h3', '', 'What happened'), story(whole));
  body.append(element('h3', '', full ? 'Content' : 'Content, the address masked'),
      element('pre', '', whole.payload === null ? `unreadable, ${whole.payloadBytes} bytes`
          : typeof whole.payload === 'string' ? whole.payload : JSON.stringify(whole.payload, null, 2)));
  if (whole.headers) body.append(element('h3', '', 'Headers'), element('pre', '', JSON.stringify(whole.headers, null, 2)));
  byId('letter-full').hidden = full;
  byId('letter-discard').hidden = letter.state !== 'OPEN';
  const forced = whole.obstacle?.yieldsToForce ?? false;
  byId('letter-replay').hidden = !(letter.state === 'OPEN' || letter.state === 'REPLAYED') || (whole.obstacle !== null && !forced);
  byId('letter-replay').textContent = forced ? 'Replay all the same…' : 'Replay…';
}

byId('letter-close').addEventListener('click', () => byId('letter').close());
byId('letter-full').addEventListener('click', () => confirm({
  title: `Show everything of letter ${shown.letter.id}?`,
  text: 'The customer’s address will be visible. That you looked at it is written down.',
  label: 'Show it',
  act: () => open(shown.letter.id, true),
}));
byId('letter-replay').addEventListener('click', () => {
  const { letter, obstacle } = shown;
  confirm({
    title: `Replay letter ${letter.id}?`,
    text: obstacle ? obstacle.explanation : 'Its event goes back to where it came from, and the email is tried again.',
    reason: obstacle ? 'needed' : null,
    label: obstacle ? 'Replay all the same' : 'Replay',
    danger: Boolean(obstacle),
    act: async reason => {
      await call('POST', `/${letter.id}/replay`, obstacle ? { force: true, reason } : {});
      byId('letter').close();
      tell(`Letter ${letter.id} is on its way.`);
    },
  });
});
byId('letter-discard').addEventListener('click', () => {
  const id = shown.letter.id;
  confirm({
    title: `Discard letter ${id}?`,
    text: 'The customer will never get this email.',
    reason: 'needed', label: 'Discard', danger: true,
    act: async reason => {
      await call('POST', `/${id}/discard`, { reason });
      byId('letter').close();
      tell(`Letter ${id} is discarded.`);
    },
  });
});

// Many letters

function request(more) {
  const { state, ...wanted } = filter();
  return { ...wanted, ...more };
}

byId('replay-all').addEventListener('click', async () => {
  try {
    const wanted = request({});
    const dry = await call('POST', '/replay', { ...wanted, dryRun: true });
    confirm({
      title: 'Replay these letters?',
      text: `Of ${many(dry.matched, 'open letter')} ${inWords(wanted)} ${dry.replayed.toLocaleString()} would be sent again`
          + (dry.notLookedAt ? `, ${dry.notLookedAt.toLocaleString()} are beyond one request.` : '.'),
      refusals: dry.refusals, reason: 'welcome', rate: true, label: 'Replay', none: dry.replayed === 0,
      act: async (reason, perSecond) => {
        const report = await call('POST', '/replay', { ...wanted, perSecond, ...(reason ? { reason } : {}) });
        tell(report.job ? `Replay ${report.job.id} sends ${many(report.job.letters, 'letter')} again.` : 'There was nothing left to send again.');
      },
    });
  } catch (problem) {
    tell(problem.message, true);
  }
});

byId('discard-all').addEventListener('click', async () => {
  try {
    const wanted = request({});
    const dry = await call('POST', '/discard', { ...wanted, dryRun: true });
    confirm({
      title: 'Discard these letters?',
      text: `${many(dry.discarded, 'open letter')} ${inWords(wanted)} would be closed. Their customers will never get these emails.`,
      reason: 'needed', label: 'Discard', danger: true, none: dry.discarded === 0,
      act: async reason => {
        const done = await call('POST', '/discard', { ...wanted, reason });
        tell(`${many(done.discarded, 'letter')} discarded.`);
      },
    });
  } catch (problem) {
    tell(problem.message, true);
  }
});

// Nothing happens without a second look

let confirmed = null;

function confirm({ title, text, refusals = {}, reason = null, rate = false, label, danger = false, none = false, act }) {
  byId('act-title').textContent = title;
  byId('act-text').textContent = text.replaceAll(/\s+/g, ' ');
  byId('act-refusals').replaceChildren(...Object.entries(refusals).map(
      ([why, count]) => element('li', '', `${count.toLocaleString()} refused: ${why.toLowerCase().replaceAll('_', ' ')}`)));
  byId('act-reason-label').hidden = reason === null;
  byId('act-reason').required = reason === 'needed';
  byId('act-reason-label').firstChild.textContent = reason === 'needed' ? 'Reason, for the record' : 'Reason, for the record (may be left out)';
  byId('act-reason').value = '';
  byId('act-rate-label').hidden = !rate;
  byId('act-problem').hidden = true;
  byId('act-do').textContent = label;
  byId('act-do').className = danger ? 'danger' : 'main';
  byId('act-do').disabled = none;
  confirmed = act;
  byId('act').showModal();
}

byId('act-cancel').addEventListener('click', () => byId('act').close());
byId('act-form').addEventListener('submit', async event => {
  event.preventDefault();
  byId('act-do').disabled = true;
  try {
    await confirmed(byId('act-reason').value.trim(), Number(byId('act-rate').value));
    byId('act').close();
    await refresh();
  } catch (problem) {
    byId('act-problem').textContent = problem.message;
    byId('act-problem').hidden = false;
    byId('act-do').disabled = false;
  }
});

(async function follow() {
  if (!document.hidden) await refresh();
  setTimeout(follow, 3000);
})();
