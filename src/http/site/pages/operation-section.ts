import { isPart } from '../../../api/document/parts.ts';
import { isPlaceholder } from '../reference/example-of.ts';
import type {
  CallSample,
  ReferenceAnswer,
  ReferenceBody,
  ReferenceOperation,
  ReferenceParameter,
} from '../reference/reference.ts';
import type { ReferenceField } from '../reference/schema-fields.ts';
import { type Html, html } from './html.ts';

/** An operation or an event: one line, that opens. */
export function operationSection(operation: ReferenceOperation, canTry: boolean): Html {
  const { id, method, path, title, description, parameters, body, answers, samples } = operation;
  const isEvent = method === 'EVENT';
  return html`<details class="operation" id="${anchorOf(id)}">
<summary><span class="method ${method.toLowerCase()}">${isEvent ? 'event' : method}</span>
<code class="path">${path}</code> <span class="title">${title}</span></summary>
<div class="columns"><div>
${description.map((text) => html`<p>${sentence(text)}</p>`)}
${isEvent ? null : html`<p class="hint">Link: <a href="#${anchorOf(id)}">${id}</a></p>`}
${parameters.length > 0 ? html`<h4>${isEvent ? 'Headers' : 'Parameters'}</h4>${fieldTable(parameters)}` : null}
${body ? bodyPart(body, isEvent) : null}
${isEvent ? null : answersPart(answers)}
</div><div class="side">
${samples.map(samplePart)}
${isEvent && body ? jsonFigure('An event', body.example) : answers.map(answerExample)}
${canTry && !isEvent ? tryForm(operation) : null}
</div></div>
</details>`;
}

/** The place of an operation on its page. */
export function anchorOf(id: string): string {
  return id.replaceAll(/[^\w.-]/g, '-');
}

function bodyPart({ mediaType, isRequired, fields }: ReferenceBody, isEvent: boolean): Html {
  const optional = isRequired ? null : ', may be left out';
  return html`<h4>${isEvent ? 'Payload' : 'Body'}</h4>
<p class="hint"><code>${mediaType}</code>${optional}</p>${fieldTable(fields)}`;
}

function fieldTable(fields: readonly (ReferenceField & { in?: string })[], must = 'required'): Html {
  return html`<dl class="fields">${fields.map(
    ({ name, type, isRequired, description, in: location }) => html`<dt><code>${name}</code>
<span class="type">${location ? `${location}, ` : null}${type}${isRequired ? html`, <strong>${must}</strong>` : null}</span></dt>
<dd>${sentence(description)}</dd>`,
  )}</dl>`;
}

function answersPart(answers: readonly ReferenceAnswer[]): Html {
  const successes = answers.filter(({ isError }) => !isError);
  const errors = answers.filter(({ isError }) => isError);
  return html`<h4>Answers</h4>
${successes.map(
  ({
    status,
    description,
    fields,
  }) => html`<p><span class="status">${status}</span> ${description.map(sentence)}</p>
${fields.length > 0 ? fieldTable(fields, 'always') : null}`,
)}
<details class="errors"><summary>Errors: ${errors.map(({ status }) => status).join(', ')}</summary>
<dl class="fields">${errors.map(
    ({ status, description }) => html`<dt><span class="status">${status}</span></dt>
${description.map((text) => html`<dd>${sentence(text)}</dd>`)}`,
  )}</dl></details>`;
}

function answerExample({ status, example }: ReferenceAnswer): Html | null {
  return example === undefined ? null : jsonFigure(`Answer ${status}`, example);
}

function jsonFigure(caption: string, example: unknown): Html {
  return html`<figure><figcaption>${caption}</figcaption>
<pre><code>${JSON.stringify(example, null, 2)}</code></pre></figure>`;
}

function samplePart({ language, label, code }: CallSample): Html {
  return html`<figure class="sample" data-language="${language}"><figcaption>${label}</figcaption>
<pre><code>${code}</code></pre></figure>`;
}

/** A script shows it and sends the call. */
function tryForm({ method, path, parameters, body, token }: ReferenceOperation): Html {
  return html`<form class="try" data-method="${method}" data-path="${path}" data-token="${token}"
 data-type="${body?.mediaType ?? null}" hidden>
<h4>Try it</h4>
${token === 'own' ? input('Registration access token', 'token', '', true) : null}
${parameters.map(parameterInput)}
${body ? bodyInputs(body) : null}
<div class="actions"><button class="primary">Send</button></div>
<output></output>
</form>`;
}

function parameterInput({ name, in: location, isRequired, example }: ReferenceParameter): Html {
  // An id in an example is nobody's, and what may be left out is left out.
  const value = isRequired && !isPlaceholder(example) ? String(example ?? '') : '';
  return input(name, location, value, isRequired);
}

function bodyInputs({ isForm, fields, example }: ReferenceBody): Html {
  if (!isForm)
    return html`<label class="field">Body<textarea data-in="body" rows="10" spellcheck="false">${JSON.stringify(
      example,
      null,
      2,
    )}</textarea></label>`;
  const values = isPart(example) ? example : {};
  return html`${fields.map(({ name, isRequired }) => input(name, 'form', String(values[name] ?? ''), isRequired))}`;
}

function input(label: string, location: string, value: string, isRequired: boolean): Html {
  return html`<label class="field">${label}${isRequired ? null : html` <span class="hint">optional</span>`}
<input data-in="${location}" name="${label}" value="${value}" autocomplete="off" spellcheck="false"${
    isRequired ? html` required` : null
  }></label>`;
}

/** Our own Markdown as markup: headings, paragraphs, fenced code, and code inside a sentence. Nothing else is in it. */
export function prose(markdown: string): Html {
  const blocks = markdown.split(/\n\n(?![^`]*```\n\n|[^`]*```$)/);
  return html`${blocks.map(block)}`;
}

function block(text: string): Html {
  const [, title] = /^## (.*)$/.exec(text) ?? [];
  if (title !== undefined) return html`<h2>${title}</h2>`;
  const [, code] = /^```\w*\n([\s\S]*)\n```$/.exec(text) ?? [];
  if (code !== undefined) return html`<pre><code>${code}</code></pre>`;
  return html`<p>${sentence(text)}</p>`;
}

/** A sentence in which what stands between backquotes is code. */
export function sentence(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
