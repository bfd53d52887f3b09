import { type Html, html } from './html.ts';

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
