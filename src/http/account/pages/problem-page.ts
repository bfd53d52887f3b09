import type { ApiError } from '../../../errors/api-error.ts';
import type { ErrorCode } from '../../../errors/catalogue.ts';
import { html } from '../../site/pages/html.ts';
import type { Page } from '../../site/pages/layout.ts';

/** An error, as a page. */
export function problemPage({ code, status, detail }: ApiError): Page {
  const { title, advice } = words[code] ?? (status === 400 ? clientsMistake : usual);
  const main = html`<section class="card"><h1>${title}</h1>
<p class="lead">${detail}</p><p>${advice}</p>
<p class="hint">Error: <code>${code}</code></p></section>`;
  return { title, main, nav: html`` };
}

interface Words {
  title: string;
  advice: string;
}

const usual: Words = { title: 'Something went wrong', advice: 'Nothing was changed. Try again in a moment.' };

const clientsMistake: Words = {
  title: 'This request is invalid',
  advice: 'The application that sent you here has made a mistake. Nothing was sent to it.',
};

const words: Partial<Record<ErrorCode, Words>> = {
  form_refused: {
    title: 'This form is out of date',
    advice: 'Nothing was changed. Go back to where you started, and try again.',
  },
  too_many_requests: {
    title: 'Too many attempts',
    advice: 'This slows down those who guess passwords. Nothing was changed.',
  },
  not_found: { title: 'Nothing here', advice: 'Check the address.' },
};
