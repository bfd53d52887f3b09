import { describe, expect, it } from 'vitest';
import { html } from '../../src/http/site/pages/html.ts';

describe('a page', () => {
  it('escapes interpolated values, in text and in attributes', () => {
    const evil = `<script>alert("1")</script>'&`;
    expect(html`<p title="${evil}">${[evil]}</p>`.text).toBe(
      '<p title="&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;">' +
        '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;</p>',
    );
  });

  it('accepts markup as it is, also in lists, numbers as text and null as nothing', () => {
    const items = [1, 2].map((number) => html`<li>${number}</li>`);
    expect(html`<ul>${items}${null}</ul>`.text).toBe('<ul><li>1</li><li>2</li></ul>');
  });
});
