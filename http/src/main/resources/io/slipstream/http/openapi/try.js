'use strict';
// Makes a form of each operation of /openapi.json. What is shown is put in as text, never as markup.
function html(tag, text, attributes) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  return element;
}

// ---- a value to begin with
function example(schema, all, depth) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return depth > 6 ? {} : example(all[name], all, depth + 1);
  }
  if (schema.oneOf) {
    const first = schema.oneOf[0];
    return {'@type': first.$ref.split('/').pop(), ...example(first, all, depth + 1)};
  }
  if (schema.const) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    return Object.fromEntries(Object.entries(schema.properties || {}).map(([name, of]) => [name, example(of, all, depth + 1)]));
  }
  if (type === 'array') return depth > 6 ? [] : Array.from({length: Math.max(1, schema.minItems || 0)}, () => example(schema.items, all, depth + 1));
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  const texts = {'date-time': '2026-01-01T00:00:00Z', date: '2026-01-01', duration: 'PT1S',
    uuid: '00000000-0000-0000-0000-000000000001'};
  return texts[schema.format] || (schema.minLength === 1 ? 'a' : '');
}

// ---- forms
function form(path, post, all) {
  const id = post.operationId + '-' + post.tags[0], section = html('section', undefined, {'aria-labelledby': id});
  const title = html('h2', post.operationId + ' ', {id});
  title.append(html('small', post.tags[0] === 'commands' ? 'command' : 'query'));
  const schema = post.requestBody.content['application/json'].schema;
  const body = html('textarea', undefined, {rows: 7, spellcheck: 'false', 'aria-label': 'Body of ' + post.operationId});
  body.value = JSON.stringify(example(schema, all, 0), null, 2);
  const send = html('button', 'Send', {type: 'button'}), status = html('p', undefined, {class: 'sub', role: 'status'});
  const answer = html('pre', undefined, {tabindex: '0', 'aria-label': 'Answer of ' + post.operationId, hidden: ''});
  let key;
  section.append(title, html('p', 'POST ' + path, {class: 'sub'}), body);
  if (post.tags[0] === 'commands') {
    const label = html('label', 'Idempotency-Key, if it may be sent again: ');
    key = html('input', undefined, {type: 'text', placeholder: 'desk-7/1'});
    label.append(key);
    section.append(label);
  }
  send.addEventListener('click', async () => {
    send.disabled = true;
    const begin = performance.now(), headers = {'Content-Type': 'application/json'};
    if (key && key.value) headers['Idempotency-Key'] = key.value;
    try {
      const response = await fetch(path, {method: 'POST', headers, body: body.value});
      const text = await response.text();
      status.textContent = `${response.status} ${response.statusText} after ${(performance.now() - begin).toFixed(1)} ms`;
      answer.hidden = false;
      try {
        // Whole numbers may be longer than JavaScript's: shown as they came unless they can be read exactly.
        answer.textContent = /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
      } catch (e) {
        answer.textContent = text;
      }
    } catch (e) {
      status.textContent = 'No answer: ' + e.message;
    }
    send.disabled = false;
  });
  section.append(send, status, answer);
  return section;
}
async function show() {
  const place = document.getElementById('operations');
  const api = await (await fetch('/openapi.json')).json();
  document.getElementById('name').textContent = api.info.title;
  const forms = Object.entries(api.paths).filter(([, item]) => item.post)
    .map(([path, item]) => form(path, item.post, api.components.schemas));
  const feeds = api.paths['/feeds/{topic}']
    ? [html('p', 'GET /feeds/{topic} follows a topic: open one in a tab of its own.', {class: 'note wide'})] : [];
  place.replaceChildren(...forms, ...feeds);
  if (!forms.length) place.append(html('p', 'This service has no commands and queries for HTTP.'));
}
show();
