import { ApiError } from '../../../../errors/api-error.ts';

/**
 * Refuses a content type that names another charset than UTF-8: what we read as one text, the upstream would read as another.
 */
export function requireUtf8(contentType: string): void {
  const [, ...parameters] = contentType.split(';');
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=', 2);
    // Also `charset*`, which some readers take for the same (RFC 2231).
    if (!name.trim().toLowerCase().startsWith('charset')) continue;
    if (name.trim().toLowerCase() !== 'charset' || !UTF8.test(value.trim()))
      throw new ApiError('unsupported_media_type', { detail: 'The charset must be UTF-8.' });
  }
}

const UTF8 = /^(?:utf-?8|"utf-?8")$/i;
