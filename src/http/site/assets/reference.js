// Runs in the browser, on the pages of API references: search, the language of the samples, and calls to try.

const reference = document.getElementById('reference');
const { version } = reference.dataset;
const operations = [...reference.querySelectorAll('.operation')];

openTarget();
addEventListener('hashchange', openTarget);
offerSearch();
offerLanguages();
offerCalls();

/** A link to an operation shows it opened. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches('.operation')) return;
  target.open = true;
  target.scrollIntoView();
}

function offerSearch() {
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  const texts = new Map(operations.map((operation) => [operation, operation.textContent.toLowerCase()]));
  search.closest('label').hidden = false;
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = operations.filter((operation) => words.every((word) => texts.get(operation).includes(word)));
    for (const operation of operations) operation.hidden = !fits.includes(operation);
    for (const group of reference.querySelectorAll('.group'))
      group.hidden = group.querySelector('.operation:not([hidden])') === null;
    found.textContent = words.length === 0 ? '' : `${fits.length} of ${operations.length} match.`;
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, textarea')) return;
    event.preventDefault();
    search.focus();
  });
}

/** Without a script all samples are shown; with one, those of one language. */
function offerLanguages() {
  const location = reference.querySelector('.languages');
  const samples = [...reference.querySelectorAll('.sample')];
  const labels = new Map(
    samples.map((sample) => [sample.dataset.language, sample.querySelector('figcaption').textContent]),
  );
  const buttons = [...labels].map(([language, label]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => choose(language));
    return [language, button];
  });
  const choose = (language) => {
    for (const [name, button] of buttons) button.setAttribute('aria-pressed', String(name === language));
    for (const sample of samples) sample.hidden = sample.dataset.language !== language;
  };
  if (buttons.length === 0) return;
  location.append(...buttons.map(([, button]) => button));
  location.hidden = false;
  choose(buttons[0][0]);
}

function offerCalls() {
  const credentials = reference.querySelector('.credentials');
  if (!credentials) return;
  credentials.hidden = false;
  credentials.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (document.getElementById('client-id')) void getToken();
  });
  for (const name of ['client-id', 'client-secret'])
    document.getElementById(name)?.addEventListener('input', fillInClient);
  for (const form of reference.querySelectorAll('.try')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void sendCall(form);
    });
  }
}

function textIn(id) {
  return document.getElementById(id)?.value.trim() ?? '';
}

/** Where a call takes the client's own id and secret, they are those of this page. */
function fillInClient() {
  const own = [
    ['client_id', textIn('client-id')],
    ['client_secret', textIn('client-secret')],
  ];
  for (const [name, value] of own)
    for (const input of reference.querySelectorAll(`.try input[data-in="form"][name="${name}"]`))
      input.value = value;
  for (const body of reference.querySelectorAll('.try textarea')) {
    const json = parsed(body.defaultValue) ?? {};
    const replaced = own.filter(([name]) => name in json);
    if (replaced.length > 0)
      body.value = JSON.stringify({ ...json, ...Object.fromEntries(replaced) }, null, 2);
  }
}

async function getToken() {
  const state = document.getElementById('token-state');
  const form = {
    grant_type: 'client_credentials',
    client_id: textIn('client-id'),
    client_secret: textIn('client-secret'),
  };
  const { status, body } = await call('/v1/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token, error_description: problem, scope } = parsed(body) ?? {};
  if (token) document.getElementById('token').value = token;
  state.textContent = token
    ? `It has the scopes ${scope}.`
    : `${status || 'No answer'}: ${problem ?? 'no token came back.'}`;
}

async function sendCall(form) {
  const { method, path, token, type } = form.dataset;
  const location = form.querySelector('output');
  const filled = (where) =>
    [...form.querySelectorAll(`[data-in="${where}"]`)].filter(({ value }) => value !== '');
  const address = filled('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(filled('query').map(({ name, value }) => [name, value]));
  const headers = Object.fromEntries(filled('header').map(({ name, value }) => [name, value]));
  const bearer =
    token === 'own' ? (filled('token')[0]?.value ?? '') : token === 'access' ? textIn('token') : '';
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  const [json] = filled('body');
  if (json) headers['content-type'] = type;
  const inForm = new URLSearchParams(filled('form').map(({ name, value }) => [name, value]));
  const body = type?.endsWith('urlencoded') ? inForm : json?.value;
  location.textContent = 'Sending …';
  const answer = await call(query.size > 0 ? `${address}?${query}` : address, { method, headers, body });
  show(location, answer, token === 'access' && !bearer);
  if (answer.status < 300) rememberId(form, parsed(answer.body)?.id);
}

/** Sent in the version of the page; the operator API has none. */
async function call(path, { method, headers, body }) {
  try {
    const response = await fetch(path, {
      method,
      headers: { ...(version ? { 'service-version': version } : {}), ...headers },
      body,
      // A page of the service is shown where it is, not followed to a redirect elsewhere.
      redirect: 'manual',
    });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  } catch {
    return { status: 0, headers: [], body: 'The service did not answer.' };
  }
}

function show(location, { status, headers, body }, lacksToken) {
  const json = parsed(body);
  const text = json === undefined ? body : JSON.stringify(json, null, 2);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const shown = document.createElement('pre');
  shown.textContent = [
    status === 0 ? 'A redirect, or no answer.' : `HTTP ${status}`,
    ...lines,
    '',
    text,
  ].join('\n');
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = lacksToken ? 'No token was sent: put one under "Credentials for trying calls".' : '';
  location.replaceChildren(hint, shown);
}

/** What was just made can be read, changed and deleted next. */
function rememberId(form, id) {
  if (typeof id !== 'string') return;
  for (const input of form.closest('.group').querySelectorAll('.try input[data-in="path"][name="id"]'))
    if (input.closest('form').dataset.path.startsWith(form.dataset.path)) input.value = id;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
