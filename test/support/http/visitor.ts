import { answered } from '../run/answered.ts';

/** The browser's state at the end of a chain of redirects on its own origin. */
export interface Visited {
  status: number;
  headers: Headers;
  text: string;
  /** The URL of the page, or the URL on another origin that the browser was redirected to. */
  url: string;
}

export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Every `Set-Cookie` header, as received. */
  readonly setCookies: string[];
  visit(path: string, headers?: Record<string, string>): Promise<Visited>;
  /** Posts the form of a page that has this action, with what is filled in. */
  submit(page: Visited, action: string, filledIn?: Form, headers?: Record<string, string>): Promise<Visited>;
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Visited>;
}

export type Form = Readonly<Record<string, string>>;

/** Sends a visitor's requests. */
export type Sender = (
  url: string,
  init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
) => Promise<Response>;

/** A browser, as far as pages without scripts need one: it keeps cookies, fills in forms and follows redirects. */
export function createVisitor(origin: string, sender: Sender = fetch): Visitor {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  async function send(
    url: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Visited> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await sender(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
      setCookies.push(line);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    const { status } = response;
    if (location === null) return answered({ status, headers: response.headers, text, url }, url);
    // A browser may send a form again after any other status.
    if (init.method === 'POST' && status !== 303) throw new Error(`${url} redirects a form with ${status}`);
    const next = new URL(location, url).href;
    if (!next.startsWith(`${origin}/`)) return { status, headers: response.headers, text, url: location };
    return send(next, { headers: {} });
  }

  const post: Visitor['post'] = (path, form, headers = {}) =>
    send(new URL(path, origin).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
      body: new URLSearchParams(form).toString(),
    });

  return {
    cookies,
    setCookies,
    post,
    visit: (path, headers = {}) => send(new URL(path, origin).href, { headers }),
    submit: (page, action, filledIn = {}, headers = {}) =>
      post(action, { ...fieldsOf(page, action), ...filledIn }, headers),
  };
}

/** The fields of the form with this action, as shown. */
export function fieldsOf({ text }: Visited, action: string): Record<string, string> {
  const form = [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
    ([, to]) => to === action,
  );
  if (!form) throw new Error(`the page has no form for ${action}:\n${text}`);
  const inputs = [...(form[2] ?? '').matchAll(/<input ([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
  const sent = inputs.filter((input) => !input.includes('type="checkbox"') || / checked/.test(input));
  return Object.fromEntries(sent.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}

function attribute(input: string, name: string): string {
  const [, value = ''] = new RegExp(`${name}="([^"]*)"`).exec(input) ?? [];
  return value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
