/** The key-management widget: lists, makes and revokes keys with a token that lives for minutes. */
const { base, parents } = document.body.dataset;
const allowed = parents.split(' ').filter((origin) => origin !== '');
const at = (id) => document.getElementById(id);
const framed = window.parent !== window;
const PAGE = 100;
/** So long the page that frames the widget may take for another token; after that nothing is done that waited. */
const RENEWAL_MS = 10_000;
const UNREACHABLE = { message: 'The service could not be reached. Look at the list before you try again.' };
let token;
/** What goes on once there is another token. */
let waiting = [];

if (framed) {
  addEventListener('message', ({ origin, source, data }) => {
    if (source !== window.parent || !allowed.includes(origin)) return;
    if (data?.type !== 'widget-token' || typeof data.token !== 'string') return;
    token = data.token;
    const waited = waiting;
    waiting = [];
    if (waited.length === 0) void show();
    for (const goOn of waited) goOn(true);
  });
  tell('widget-ready');
} else {
  void begin();
}

async function begin() {
  if (await ownToken()) await show();
}

function tell(type) {
  for (const origin of allowed) window.parent.postMessage({ type }, origin);
}

/** Whether there is another token: of whoever frames the widget, or of the session of this browser. */
function renewed() {
  if (!framed) return ownToken();
  return new Promise((resolve) => {
    waiting.push(resolve);
    setTimeout(resolve, RENEWAL_MS, false);
    tell('widget-token-expired');
  });
}

async function ownToken() {
  const { data, error } = await read(`${base}/api/v2/org-api-keys/widget-token`);
  if (error !== null) say(error.message);
  else token = data.token;
  return error === null;
}

async function read(address, init) {
  try {
    const answer = await fetch(address, init);
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { error: UNREACHABLE };
  }
}

function send(method, path, body) {
  return read(`${base}/widgets/api-keys/keys${path}`, {
    method,
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/** Calls the widget's own backend; what it refuses is said, and undefined given. */
async function ask(method, path = '', body = undefined) {
  let answer = await send(method, path, body);
  // Nothing was done with a token that has expired.
  if (answer.status === 401 && (await renewed())) answer = await send(method, path, body);
  if (answer.error === null) return answer.data;
  say(answer.error.message);
  return undefined;
}

function say(text) {
  at('state').textContent = text;
}

async function show() {
  const keys = [];
  let more = { nextOffset: 0 };
  while (more.nextOffset !== null) {
    more = await ask('GET', `?take=${PAGE}&skip=${more.nextOffset}`);
    if (more === undefined) return;
    keys.push(...more.apiKeys);
  }
  say(keys.length === 0 ? 'There are no keys yet.' : `Keys: ${keys.length}`);
  at('list').replaceChildren(...keys.map(row));
}

function row({ id, name, obfuscatedValue, permissions, lastUsedAt }) {
  const line = (className, text) => {
    const part = document.createElement('p');
    part.className = className;
    part.textContent = text;
    return part;
  };
  const about = document.createElement('div');
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`;
  about.append(line('what', name), line('meta', `${obfuscatedValue} · ${permissions.join(', ')} · ${used}`));
  const button = document.createElement('button');
  button.className = 'second';
  button.textContent = 'Revoke';
  button.setAttribute('aria-label', `Revoke ${name}`);
  button.addEventListener('click', async () => {
    if (confirm(`Revoke ${name}? What uses it stops at once.`) && (await ask('DELETE', `/${id}`)))
      await show();
  });
  const item = document.createElement('li');
  item.append(about, button);
  return item;
}

/** Of two clicks the second makes nothing: the key of the first would stand in the list, and be shown nowhere. */
let isMaking = false;

at('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isMaking) return;
  isMaking = true;
  await make(event.target);
  isMaking = false;
});

async function make(form) {
  const fields = new FormData(form);
  const data = await ask('POST', '', { name: fields.get('name'), permissions: fields.getAll('permissions') });
  if (data === undefined) return;
  at('value').textContent = data.apiKey.value;
  at('made').hidden = false;
  form.reset();
  await show();
}
