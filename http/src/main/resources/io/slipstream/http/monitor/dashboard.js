'use strict';
// Draws what the service tells of itself. Each event of /live is one picture; the last minute of them is kept.
const KEPT = 240, ALERT = 0.7, ALERT_QUIET_MILLIS = 5000, MOST_ALERTS = 100, GAP_MILLIS = 2500;
const history = [];
const quietUntil = new Map();
const byId = id => document.getElementById(id);

// ---- figures as text
const whole = n => Math.round(n).toLocaleString('en');
function short(n) {
  const a = Math.abs(n);
  return a >= 1e9 ? (n / 1e9).toFixed(1) + ' G' : a >= 1e6 ? (n / 1e6).toFixed(a >= 1e7 ? 1 : 2) + ' M'
    : a >= 1e4 ? (n / 1e3).toFixed(1) + ' k' : a >= 10 || a === 0 ? whole(n) : n.toFixed(1);
}
function time(nanos) {
  return nanos >= 1e9 ? (nanos / 1e9).toFixed(2) + ' s' : nanos >= 1e6 ? (nanos / 1e6).toFixed(nanos >= 1e7 ? 0 : 1) + ' ms'
    : nanos >= 1e3 ? (nanos / 1e3).toFixed(0) + ' µs' : Math.round(nanos) + ' ns';
}
function bytes(n) {
  return n >= 1 << 20 ? (n / (1 << 20)).toFixed(1) + ' MiB' : n >= 1024 ? (n / 1024).toFixed(1) + ' KiB' : n + ' B';
}

// ---- elements
function html(tag, text, attributes) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  return element;
}
function svg(tag, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// ---- what a picture says
const counter = (picture, owner, label) => picture.map.get(owner + '/' + label) || 0;
// Without counters nothing is known of the inside of the service: a dash, and no zero.
const known = (picture, value) => picture.counters.length ? value : '–';
function rate(label, now, before, owner = 'commands') {
  const seconds = (now.millis - before.millis) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, counter(now, owner, label) - counter(before, owner, label)) / seconds;
}
// What the log had no room for has gone through the stages, but was refused.
const unlogged = (now, before) => rate('refused since the log was full', now, before);
// The probes of this page go through the stages as commands do, and are none. One that is on its way may count on one
// side only.
function answered(now, before) {
  const count = counter(now, 'commands', 'processed') - counter(before, 'commands', 'processed') - (now.probed - before.probed);
  return count > 1 ? count : 0;
}
function answeredRate(now, before) {
  const seconds = (now.millis - before.millis) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, answered(now, before) / seconds - unlogged(now, before));
}
const refusedRate = (now, before) => rate('refused', now, before) + unlogged(now, before);
function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
function probesOf(from, to) {
  const all = [];
  for (let i = Math.max(0, from); i <= to; i++) all.push(...history[i].probes);
  return all.sort((a, b) => a - b);
}
function back(millis) {
  const newest = history[history.length - 1];
  for (let i = history.length - 1; i >= 0; i--) {
    if (newest.millis - history[i].millis >= millis) return history[i];
  }
  return history[0];
}

// ---- lines over time
function chart(place, series, options) {
  const width = Math.max(280, place.clientWidth), height = 190, left = 52, bottom = 22, top = 8;
  const newest = history[history.length - 1].millis, span = 60000;
  const values = series.flatMap(s => s.points.map(p => p[1])).filter(v => v > 0);
  const most = values.length ? Math.max(...values) : 1;
  const log = options.log;
  const low = log ? Math.pow(10, Math.floor(Math.log10(values.length ? Math.min(...values) : 1e4))) : 0;
  const high = log ? Math.max(low * 10, Math.pow(10, Math.ceil(Math.log10(most)))) : nice(most);
  const x = millis => left + (width - left - 6) * (1 - (newest - millis) / span);
  const y = v => {
    const part = log ? (Math.log10(Math.max(v, low)) - Math.log10(low)) / (Math.log10(high) - Math.log10(low)) : v / high;
    return height - bottom - part * (height - bottom - top);
  };
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': options.label});
  const ticks = log ? range(Math.log10(low), Math.log10(high)).map(e => Math.pow(10, e)) : [0, high / 2, high];
  for (const tick of ticks) {
    root.append(svg('line', {x1: left, x2: width - 6, y1: y(tick), y2: y(tick), class: 'grid'}),
      svg('text', {x: left - 6, y: y(tick) + 4, 'text-anchor': 'end', class: 'soft'}, options.text(tick)));
  }
  for (const seconds of [60, 40, 20, 0]) {
    root.append(svg('text', {x: x(newest - seconds * 1000), y: height - 5, class: 'soft',
      'text-anchor': seconds === 60 ? 'start' : seconds ? 'middle' : 'end'}, seconds ? `−${seconds} s` : 'now'));
  }
  series.forEach((s, i) => {
    const points = s.points.filter(p => newest - p[0] <= span);
    if (points.length > 1) {
      // Where nothing was heard there is no line.
      const step = (p, i) => i > 0 && p[0] - points[i - 1][0] <= GAP_MILLIS ? 'L' : 'M';
      root.append(svg('path', {class: `line s${s.colour}`,
        d: points.map((p, i) => step(p, i) + x(p[0]).toFixed(1) + ' ' + y(p[1]).toFixed(1)).join('')}));
    }
  });
  place.replaceChildren(root);
}
const range = (from, to) => Array.from({length: Math.round(to - from) + 1}, (_, i) => from + i);
function nice(v) {
  const power = Math.pow(10, Math.floor(Math.log10(v)));
  return [1, 2, 4, 6, 8, 10].map(f => f * power).find(f => f >= v) || v;
}
function legend(place, entries) {
  place.replaceChildren(...entries.flatMap(([colour, name, value]) =>
    [html('i', '', {class: 'b' + colour}), document.createTextNode(name + ' '), html('b', value)]));
}

// ---- parts of the page
function tiles(now) {
  const second = back(1000), recent = probesOf(history.length - 40, history.length - 1);
  const refused = refusedRate(now, second);
  const all = [
    [known(now, short(answeredRate(now, second))), 'commands a second'],
    [recent.length ? time(quantile(recent, 0.5)) : '–', 'median response, 10 s'],
    [recent.length ? time(recent[recent.length - 1]) : '–', 'worst response, 10 s'],
    [known(now, short(refused)), 'refused a second'],
    [now.sequence === undefined ? '–' : whole(now.sequence), 'log entries'],
    [now.sessions === undefined ? '–' : whole(now.sessions), 'sessions'],
  ];
  byId('tiles').replaceChildren(...all.map(([value, name]) => {
    const item = html('li');
    item.append(html('strong', value), html('span', name));
    return item;
  }));
}

function pipeline(now) {
  const place = byId('pipeline'), phone = place.clientWidth < 560;
  const input = 'input ring', output = 'output ring', second = back(1000);
  const inputSize = counter(now, input, 'capacity'), outputSize = counter(now, output, 'capacity');
  const waits = counter(now, 'waiting commands', 'depth'), allowed = counter(now, 'waiting commands', 'capacity');
  const stages = [
    ['gateway', `${whole(waits)} of ${whole(allowed)} wait`, crowd(now)],
    ['input ring', bytes(counter(now, input, 'depth')) + ' of ' + bytes(inputSize), counter(now, input, 'depth') / inputSize],
    ['journal', bytes(counter(now, input, 'lag of the journal')) + ' behind', counter(now, input, 'lag of the journal') / inputSize],
    ['logic', bytes(counter(now, input, 'lag of the logic')) + ' behind', counter(now, input, 'lag of the logic') / inputSize],
    ['output ring', bytes(counter(now, output, 'depth')) + ' of ' + bytes(outputSize), counter(now, output, 'depth') / outputSize],
    ['replies', `${short(answeredRate(now, second))} a second`, null],
  ];
  if (!inputSize) {
    place.replaceChildren(html('p', 'This service shows no counters, so its stages cannot be seen.'));
    return;
  }
  const width = Math.max(280, place.clientWidth), gap = 22, rows = phone ? 6 : 1;
  const boxWidth = phone ? width : (width - 5 * gap) / 6, boxHeight = phone ? 62 : 86;
  const height = phone ? rows * (boxHeight + 16) - 16 : boxHeight;
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': stages.map(([name, text, part]) => `${name}: ${text}${part === null ? '' : `, ${Math.round(100 * part)} % full`}`).join('; ')});
  stages.forEach(([name, text, part], i) => {
    const x = phone ? 0 : i * (boxWidth + gap), y = phone ? i * (boxHeight + 16) : 0;
    root.append(svg('rect', {x: x + .5, y: y + .5, width: boxWidth - 1, height: boxHeight - 1, rx: 8, class: 'box'}),
      svg('text', {x: x + 12, y: y + 22, class: 'name'}, name), svg('text', {x: x + 12, y: y + 40, class: 'soft'}, text));
    if (part !== null) {
      const track = boxWidth - 24, at = y + boxHeight - (phone ? 15 : 28), tall = phone ? 8 : 14;
      root.append(svg('rect', {x: x + 12, y: at, width: track, height: tall, rx: 3, class: 'track'}),
        svg('rect', {x: x + 12, y: at, width: Math.max(part > 0 ? 2 : 0, track * Math.min(1, part)), height: tall, rx: 3,
          class: part >= ALERT ? 'alert' : 'full'}),
        svg('line', {x1: x + 12 + track * ALERT, x2: x + 12 + track * ALERT, y1: at - 3, y2: at + tall + 3, class: 'mark'}));
    }
    if (i < 5) {
      const [x1, y1, x2, y2] = phone ? [width / 2, y + boxHeight, width / 2, y + boxHeight + 15]
        : [x + boxWidth + 2, 43, x + boxWidth + gap - 3, 43];
      root.append(svg('line', {x1, y1, x2, y2, class: 'flow'}), svg('path', {class: 'tip', d: phone
        ? `M${x2 - 4} ${y2 - 6}L${x2 + 4} ${y2 - 6}L${x2} ${y2}Z` : `M${x2 - 6} ${y2 - 4}L${x2 - 6} ${y2 + 4}L${x2} ${y2}Z`}));
    }
  });
  place.replaceChildren(root);
}

function throughput(now) {
  const lines = {processed: [], refused: []};
  for (let i = 4; i < history.length; i += 2) {
    if (history[i].millis - history[i - 4].millis > GAP_MILLIS) continue;
    if (!history[i].counters.length) continue;
    lines.processed.push([history[i].millis, answeredRate(history[i], history[i - 4])]);
    lines.refused.push([history[i].millis, refusedRate(history[i], history[i - 4])]);
  }
  const last = label => lines[label].length ? short(lines[label][lines[label].length - 1][1]) : '–';
  legend(byId('throughput-legend'), [[0, 'answered a second', last('processed')], [1, 'refused a second', last('refused')]]);
  chart(byId('throughput'), [{colour: 0, points: lines.processed}, {colour: 1, points: lines.refused}],
    {text: short, label: `Commands a second in the last minute; now ${last('processed')} answered, ${last('refused')} refused`});
}

function response() {
  const lines = [[], [], []];
  for (let i = 3; i < history.length; i += 2) {
    const probes = probesOf(i - 7, i);
    if (probes.length) {
      [0.5, 0.9, 1].forEach((q, n) => lines[n].push([history[i].millis, quantile(probes, q)]));
    }
  }
  const last = n => lines[n].length ? time(lines[n][lines[n].length - 1][1]) : '–';
  legend(byId('response-legend'), [[2, 'median', last(0)], [0, '90 %', last(1)], [1, 'worst', last(2)]]);
  chart(byId('response'), [{colour: 1, points: lines[2]}, {colour: 0, points: lines[1]}, {colour: 2, points: lines[0]}],
    {log: true, text: time, label: `Response times in the last minute; now median ${last(0)}, worst ${last(2)}`});
}

function row(...cells) {
  const line = html('tr');
  line.append(html('th', cells[0], {scope: 'row'}), ...cells.slice(1).map(cell => html('td', cell)));
  return line;
}
function threads(now) {
  const second = back(2000), seconds = (now.millis - second.millis) / 1000 || 1;
  const commands = counter(now, 'commands', 'processed') - counter(second, 'commands', 'processed');
  const owners = [...new Set(now.counters.map(c => c[0]).filter(owner => owner.startsWith('thread ')))];
  byId('threads').replaceChildren(...owners.map(owner => {
    const busy = (counter(now, owner, 'time in them') - counter(second, owner, 'time in them')) / 1e9 / seconds;
    const rounds = counter(now, owner, 'rounds with work') - counter(second, owner, 'rounds with work');
    return row(owner.slice(7), Math.min(100, Math.round(100 * busy)) + ' %', rounds > 0 ? short(commands / rounds) : '–',
      time(counter(now, owner, 'longest stall')));
  }));
}
function refused(now) {
  const second = back(1000);
  const rows = now.counters.filter(c => c[2] === 'REFUSED' || c[2] === 'DROPPED').map(([owner, label, , value]) =>
    row(owner === 'commands' ? label : `${owner}, ${label}`, whole(value), short(rate(label, now, second, owner))));
  for (const [labels, count] of Object.entries(now.http)) {
    const status = /status="(\d+)"/.exec(labels)[1];
    if (status >= '400') {
      rows.push(row(`HTTP ${status}, ${/kind="(\w+)"/.exec(labels)[1]}`, whole(count),
        short(Math.max(0, count - (second.http[labels] || 0)) / ((now.millis - second.millis) / 1000 || 1))));
    }
  }
  byId('refused').replaceChildren(...rows);
}

// A column for each member of the cluster; one that does not answer has a dash in all rows but the first.
function members(now) {
  byId('members').hidden = now.members.length === 0;
  if (byId('members').hidden) return;
  const furthest = Math.max(...now.members.map(m => m.sequence));
  const names = html('tr');
  names.append(html('td'), ...now.members.map(m => html('th', `member ${m.id}`, {scope: 'col', title: m.address})));
  byId('member-names').replaceChildren(names);
  const said = of => now.members.map(m => m.error ? '–' : of(m));
  const roles = row('role', ...now.members.map(m => m.error ? 'no answer' : m.leads ? 'leader' : m.ready ? 'follower' : 'not ready'));
  now.members.forEach((m, i) => {
    roles.children[i + 1].className = m.error ? 'fails' : m.ready ? 'holds' : 'open';
    if (m.error) roles.children[i + 1].title = m.error;
  });
  byId('member-rows').replaceChildren(roles,
    row('last entry', ...said(m => whole(m.sequence))), row('entries behind', ...said(m => whole(furthest - m.sequence))),
    row('hash of the state', ...said(m => m.stateHash)), row('committed log', ...said(m => bytes(m.logBytes))),
    row('snapshots since its start', ...said(m => whole(m.snapshots))),
    row('version', ...said(m => m.version < 0 ? '–' : whole(m.version))),
    row('passes over', ...said(m => m.skips === '-' ? 'nothing' : m.skips)));
}

function serviceNanos(now) {
  const before = back(5000);
  const commands = answered(now, before);
  const busiest = Math.max(0, ...now.counters.filter(c => c[0].startsWith('thread ') && c[1] === 'time in them')
    .map(c => c[3] - counter(before, c[0], c[1])));
  return commands >= 50 && busiest > 0 ? busiest / commands : 0;
}
function whatIf() {
  if (!history.length) return;
  const now = history[history.length - 1];
  const queue = Math.round(Math.pow(10, 1 + Number(byId('queue').value) / 12));
  byId('queue-value').textContent = whole(queue);
  byId('queue').setAttribute('aria-valuetext', whole(queue) + ' commands');
  const nanos = serviceNanos(now);
  byId('whatif').textContent = nanos === 0 ? known(now, 'Needs load to measure the service time.')
    : `A command costs the busiest thread ${time(nanos)} at present, so ${short(1e9 / nanos)} a second are its limit. `
    + `Once ${whole(queue)} wait, a new one is answered after ${time(queue * nanos)}. `
    + `At the present rate ${short(answeredRate(now, back(5000)) * (quantile(probesOf(history.length - 20, history.length - 1), 0.5) || 0) / 1e9)} are on their way.`;
}

// ---- what the server has noted since it began: alerts and the longest stalls
const at = millis => new Date(millis).toLocaleString('en-GB', {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit'});
async function showHistory() {
  let noted;
  try {
    const response = await fetch('/alerts.json', {signal: AbortSignal.timeout(GAP_MILLIS)});
    if (!response.ok) return;
    noted = await response.json();
  } catch (e) {
    // The state of the page says that the gateway does not answer.
    return;
  }
  byId('no-stalls').hidden = noted.stalls.length > 0;
  byId('stalls').replaceChildren(...noted.stalls.map(stall => row(at(stall.at), stall.thread, time(stall.nanos), stall.meanwhile)));
  byId('no-history').hidden = noted.alerts.length > 0;
  byId('history').replaceChildren(...noted.alerts.map(alert =>
    row(at(alert.begin), alert.end === undefined ? 'lasts' : at(alert.end), alert.severity, alert.text)));
}

function snapshots(now) {
  const of = label => counter(now, 'snapshots', label);
  const last = of('bytes of state') ? `entry ${whole(of('last entry in it'))}, ${bytes(of('bytes of state'))} in ${time(of('last took'))}` : 'none since the start';
  return (of('begun') > of('ended') ? 'one is being taken; the last: ' : '') + last + (of('failed') ? `; ${whole(of('failed'))} failed` : '');
}
function commits(now) {
  const before = back(2000), count = counter(now, 'log', 'commits') - counter(before, 'log', 'commits');
  const nanos = counter(now, 'log', 'time in commits') - counter(before, 'log', 'time in commits');
  return `${count > 0 ? time(nanos / count) : '–'} at present, ${time(counter(now, 'log', 'longest commit'))} at most`;
}
function log(now) {
  const entries = [['last entry', now.sequence === undefined ? '–' : whole(now.sequence)],
    ['written since the start', known(now, `${bytes(counter(now, 'log', 'bytes'))}, ${bytes(Math.round(rate('bytes', now, back(2000), 'log')))} a second`)],
    ['a commit takes', known(now, commits(now))], ['snapshots', known(now, snapshots(now))],
    ['room on the device', now.logFull ? 'none: commands are refused' : 'yes'],
    ['entries replayed at start', now.replayed === undefined ? '–' : whole(now.replayed)],
    ['the start took', now.recoveryNanos === undefined ? '–' : time(now.recoveryNanos)],
    ['hash of the state', now.stateHash || '–'], ['logins', known(now, whole(counter(now, 'commands', 'logins')))],
    ['connections', known(now, `${whole(counter(now, 'connections', 'open'))} of ${whole(counter(now, 'connections', 'limit'))}`)],
    ['HTTP requests that wait', `${whole(now.pending)} of ${whole(now.maxPending)}, ${bytes(now.pendingBytes)} of ${bytes(now.maxPendingBytes)}`], ['event streams', whole(now.streams)]];
  byId('log').replaceChildren(...entries.flatMap(([name, value]) => [html('dt', name), html('dd', value)]));
}

// ---- alerts
function alert(millis, key, text) {
  const quiet = quietUntil.get(key) || 0;
  quietUntil.set(key, millis + ALERT_QUIET_MILLIS);
  if (millis < quiet) return;
  const item = html('li');
  item.append(html('time', new Date(millis).toLocaleTimeString('en-GB')), document.createTextNode(text));
  byId('alerts').prepend(item);
  while (byId('alerts').children.length > MOST_ALERTS) byId('alerts').lastChild.remove();
  byId('no-alerts').hidden = true;
}
// One command is no crowd, however long it takes.
const crowd = now => counter(now, 'waiting commands', 'depth') > 1
  ? counter(now, 'waiting commands', 'depth') / counter(now, 'waiting commands', 'capacity') : 0;
const waiting = now => Math.max(now.pending / now.maxPending, now.pendingBytes / now.maxPendingBytes);
let startTook;
function check(now, before) {
  if (!now.alive) alert(now.millis, 'down', 'The service does not answer' + (now.error ? ': ' + now.error : '.'));
  if (now.logFull) alert(now.millis, 'log', 'The device of the log is full; commands are refused.');
  for (const ring of ['input ring', 'output ring']) {
    const part = counter(now, ring, 'depth') / counter(now, ring, 'capacity');
    if (part >= ALERT) alert(now.millis, ring, `The ${ring} is ${Math.round(100 * part)} % full.`);
  }
  if (crowd(now) >= ALERT) {
    alert(now.millis, 'crowd', `${whole(counter(now, 'waiting commands', 'depth'))} commands wait, and `
      + `${whole(counter(now, 'waiting commands', 'capacity'))} may: the next ones are refused.`);
  }
  if (waiting(now) >= ALERT) {
    alert(now.millis, 'pending', `${whole(now.pending)} HTTP requests wait for the service: ${bytes(now.pendingBytes)}.`);
  }
  if (before && rate('refused', now, before) > 0) alert(now.millis, 'refused', 'Commands are refused, since they would wait too long.');
  if (before && rate('denied', now, before) > 0) alert(now.millis, 'denied', 'A client was denied.');
  if (before && now.millis - before.millis > GAP_MILLIS) {
    alert(now.millis, 'gap', `Nothing was heard for ${time((now.millis - before.millis) * 1e6)}.`);
  }
  if (now.recoveryNanos !== undefined) {
    if (startTook !== undefined && startTook !== now.recoveryNanos) alert(now.millis, 'start', 'The service was started anew.');
    startTook = now.recoveryNanos;
  }
  if (before && before.sequence > now.sequence) alert(now.millis, 'restart', 'The service has lost log entries, or another one answers.');
}

function state(text, kind) {
  byId('state').className = 'state ' + kind;
  if (byId('state').textContent !== text) byId('state').textContent = text;
}
// What was heard last says nothing of a gateway that is silent since.
let heardAt = 0, lost = false;
function showState() {
  const now = history[history.length - 1];
  if (lost || now && performance.now() - heardAt > GAP_MILLIS) {
    state('the gateway does not answer', 'fails');
    alert(Date.now(), 'gateway', 'The gateway does not answer.');
  } else if (now) {
    state(!now.alive ? 'does not answer' : !now.ready ? 'takes no commands' : 'ready', !now.alive ? 'fails' : !now.ready ? 'open' : 'holds');
  }
}

let due = false;
function draw() {
  due = false;
  const now = history[history.length - 1];
  byId('name').textContent = now.name;
  if (byId('links').children.length <= now.links.length) {
    byId('links').prepend(...now.links.map(([title, href]) => html('a', title, {href})));
  }
  document.title = now.name + ' – Slipstream';
  showState();
  byId('since').textContent = 'As of ' + new Date(now.millis).toLocaleTimeString('en-GB') + ', the last minute.';
  tiles(now); members(now); pipeline(now); throughput(now); response(); threads(now); refused(now); whatIf(); log(now);
}
function follow() {
  const events = new EventSource('/live');
  events.onmessage = event => {
    heardAt = performance.now();
    lost = false;
    const picture = JSON.parse(event.data), before = history[history.length - 1];
    if (before && picture.millis <= before.millis) return;
    picture.probed = (before ? before.probed : 0) + picture.probes.length;
    picture.map = new Map(picture.counters.map(([owner, label, , value]) => [owner + '/' + label, value]));
    check(picture, before);
    history.push(picture);
    if (history.length > KEPT) history.shift();
    if (!due) {
      due = true;
      requestAnimationFrame(draw);
    }
  };
  events.onerror = () => {
    lost = true;
    showState();
    // The browser comes back by itself after a connection that broke, but not after an answer that was no stream.
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, GAP_MILLIS);
  };
}
byId('queue').addEventListener('input', whatIf);
setInterval(showState, 500);
setInterval(showHistory, 2000);
addEventListener('resize', () => history.length && draw());
follow();
showHistory();
