/** The key-management widget: lists, makes and revokes keys with a token that lives for minutes. */
const { base, parents } = document.body.dataset;
const allowed = parents.split(' ').filter((origin) => origin !== '');
const at = (id) => document.getElementById(id);
const framed = window.parent !== window;
let token;

if (framed) {
  addEventListener('message', ({ origin, source, data }) => {
    if (source !== window.parent || !allowed.includes(origin)) return;
    if (data?.type !== 'widget-token' || typeof data.token !== 'string') return;
    token = data.token;
    void show();
  });
  for (const origin of allowed) window.parent.postMessage({ type: 'widget-ready' }, origin);
} else {
  void begin();
}

async function begin() {
  const answer = await fetch(`${base}/api/v2/org-api-keys/widget-token`);
  const { data, error } = await answer.json();
  if (error) return say(error.message);
  token = data.token;
  await show();
}

/** Calls the widget's own backend; what it refuses is said, and undefined given. */
async function ask(method, path = '', body = undefined) {
  const answer = await fetch(`${base}/widgets/api-keys/keys${path}`, {
    method,
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data, error } = await answer.json();
  if (error === null) return data;
  // Whoever frames the widget gives it another one.
  if (answer.status === 401 && framed) {
    for (const origin of allowed) window.parent.postMessage({ type: 'widget-token-expired' }, origin);
  }
  say(error.message);
  return undefined;
}

function say(text) {
  at('state').textContent = text;
}

async function show() {
  const keys = [];
  let page;
  do {
    page = await ask('GET', `?skip=${keys.length}`);
    if (page === undefined) return;
    keys.push(...page.apiKeys);
  } while (page.hasMore);
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

at('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  const data = await ask('POST', '', { name: fields.get('name'), permissions: fields.getAll('permissions') });
  if (data === undefined) return;
  at('value').textContent = data.apiKey.value;
  at('made').hidden = false;
  event.target.reset();
  await show();
});
