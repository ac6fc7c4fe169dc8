'use strict';
// One book of the exchange: asks four times a second while the page is seen.
const PERIOD_MILLIS = 250, SILENCE_MILLIS = 2500, ORDER_MILLIS = 15000;
const LEVELS = 40, SHOWN_LEVELS = 10, SHOWN_TRADES = 15;
const byId = id => document.getElementById(id);
const whole = n => n.toLocaleString('en');
let trades = [], lastTrade = 0, shownInstrument = 0, lastOrder = null;
// An order's id must be new: the time, and a count for those of one millisecond.
let nextOrder = Date.now() * 100;

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
async function post(path, body, millis) {
  const response = await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body), signal: AbortSignal.timeout(millis)});
  return {status: response.status, body: await response.json()};
}
const instrument = () => Math.max(1, Math.floor(Number(byId('instrument').value)) || 1);

// ---- the book as a picture: stairs of what is available up to each price
function stairs(levels) {
  let sum = 0;
  return levels.map(level => [level.price, sum += level.quantity]);
}
function depth(book) {
  const place = byId('depth'), width = Math.max(280, place.clientWidth), height = 240, left = 56, bottom = 24, top = 10;
  const bids = stairs(book.bids), asks = stairs(book.asks);
  if (!bids.length && !asks.length) {
    place.replaceChildren(html('p', 'The book is empty.'));
    byId('depth-legend').replaceChildren();
    return;
  }
  const prices = [...bids, ...asks].map(p => p[0]);
  const low = Math.min(...prices) - 1, high = Math.max(...prices) + 1;
  const most = Math.max(bids.length ? bids[bids.length - 1][1] : 0, asks.length ? asks[asks.length - 1][1] : 0);
  const x = price => left + (width - left - 8) * (price - low) / (high - low);
  const y = quantity => height - bottom - quantity / most * (height - bottom - top);
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label':
    `Depth of instrument ${book.instrument}: best bid ${bids.length ? whole(bids[0][0]) : 'none'}, best ask ${asks.length
      ? whole(asks[0][0]) : 'none'}; the best ${LEVELS} levels hold ${whole(bids.length ? bids[bids.length - 1][1] : 0)} to buy and ${
      whole(asks.length ? asks[asks.length - 1][1] : 0)} to sell`});
  for (const part of [0, 0.5, 1]) {
    root.append(svg('line', {x1: left, x2: width - 8, y1: y(part * most), y2: y(part * most), class: 'grid'}),
      svg('text', {x: left - 6, y: y(part * most) + 4, 'text-anchor': 'end', class: 'soft'}, whole(part * most)));
  }
  for (const [price, anchor] of [[low, 'start'], [(low + high) / 2, 'middle'], [high, 'end']]) {
    root.append(svg('text', {x: x(price), y: height - 6, 'text-anchor': anchor, class: 'soft'}, whole(price)));
  }
  for (const [points, side, stroke, edge] of [[bids, 'bids', 'stroke2', low], [asks, 'asks', 'stroke1', high]]) {
    if (!points.length) continue;
    let line = `M${x(points[0][0]).toFixed(1)} ${y(0)}`;
    points.forEach(([price, sum], i) => {
      line += `V${y(sum).toFixed(1)}H${x(i + 1 < points.length ? points[i + 1][0] : edge).toFixed(1)}`;
    });
    root.append(svg('path', {d: line + `V${y(0)}Z`, class: 'area ' + side}), svg('path', {d: line, class: stroke}));
  }
  place.replaceChildren(root);
  const spread = bids.length && asks.length ? whole(asks[0][0] - bids[0][0]) : '–';
  byId('depth-legend').replaceChildren(...[['b2', 'bid', bids.length ? whole(bids[0][0]) : '–'],
    ['b1', 'ask', asks.length ? whole(asks[0][0]) : '–'], ['', 'spread', spread]].flatMap(([colour, name, value]) =>
    [...(colour ? [html('i', '', {class: colour})] : []), document.createTextNode(name + ' '), html('b', value)]));
}
function levels(book) {
  const rows = Math.min(SHOWN_LEVELS, Math.max(book.bids.length, book.asks.length));
  byId('levels').replaceChildren(...Array.from({length: rows}, (_, i) => {
    const bid = book.bids[i], ask = book.asks[i], line = html('tr');
    line.append(html('td', bid ? whole(bid.quantity) : ''), html('td', bid ? whole(bid.price) : '', {class: 'buy'}),
      html('td', ask ? whole(ask.price) : '', {class: 'sell'}), html('td', ask ? whole(ask.quantity) : ''));
    return line;
  }));
}
function tape() {
  byId('no-trades').hidden = trades.length > 0;
  byId('trades').replaceChildren(...trades.map(trade => {
    const line = html('tr');
    line.append(html('th', whole(trade.number), {scope: 'row'}),
      html('td', trade.taker === 'BUY' ? 'buys' : 'sells', {class: trade.taker.toLowerCase()}),
      html('td', whole(trade.price)), html('td', whole(trade.quantity)));
    return line;
  }));
}

// ---- what goes on
function state(text, kind) {
  byId('state').className = 'state ' + kind;
  if (byId('state').textContent !== text) byId('state').textContent = text;
}
async function look() {
  const of = instrument();
  if (of !== shownInstrument) {
    shownInstrument = of;
    trades = [];
    lastTrade = 0;
  }
  const [book, tradesNow] = await Promise.all([
    post('/queries/DepthOf', {instrument: of, levels: LEVELS}, SILENCE_MILLIS),
    post('/queries/TradesOf', {instrument: of, trades: SHOWN_TRADES, after: lastTrade}, SILENCE_MILLIS)]);
  if (of !== instrument()) return;
  if (book.status !== 200 || tradesNow.status !== 200) {
    state((book.status !== 200 ? book : tradesNow).body.detail, 'fails');
    return;
  }
  state('live', 'holds');
  if (tradesNow.body.trades.length) {
    trades = [...tradesNow.body.trades.reverse(), ...trades].slice(0, SHOWN_TRADES);
    lastTrade = trades[0].number;
  }
  depth(book.body);
  levels(book.body);
  tape();
}
async function follow() {
  try {
    if (!document.hidden) await look();
  } catch (e) {
    state('the exchange does not answer', 'fails');
  }
  setTimeout(follow, PERIOD_MILLIS);
}

// ---- orders
function show({status, body}) {
  byId('outcome').textContent = status === 200
    ? body.status.toLowerCase()
    : (status ? `${status}: ` : '') + body.detail;
  byId('outcome').className = 'answer ' + (status === 200 ? 'holds' : 'fails');
  byId('reply').replaceChildren(...Object.entries(body).filter(([, value]) => typeof value !== 'object')
    .flatMap(([name, value]) => [html('dt', name), html('dd', String(value))]));
}
async function send(path, order) {
  try {
    const reply = await post(path, order, ORDER_MILLIS);
    show(reply);
    lastOrder = reply.status === 200 && reply.body.status === 'RESTING' ? {instrument: order.instrument, orderId: order.orderId} : null;
  } catch (e) {
    show({status: 0, body: {detail: 'no answer, so the order may have been taken: ' + e.message}});
  }
  byId('cancel-place').hidden = lastOrder === null;
}
byId('order').addEventListener('submit', event => {
  event.preventDefault();
  send('/commands/Place', {instrument: instrument(), orderId: nextOrder++, side: byId('side').value, type: byId('type').value,
    price: Number(byId('price').value), quantity: Number(byId('quantity').value)});
});
byId('cancel').addEventListener('click', () => lastOrder && send('/commands/Cancel', lastOrder));
async function types() {
  const api = await (await fetch('/openapi.json')).json();
  byId('type').replaceChildren(...api.components.schemas.PlaceCommand.properties.type.enum.map(type => html('option', type)));
}
types();
follow();
