import { Type } from 'typebox';
import { passwordLengthMax, passwordLengthMin } from '../../identity/passwords.ts';

// Control characters are never meant, and PostgreSQL cannot store NUL.
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]+$';

/** Format characters are invisible, and some turn the text around them: a name with them looks like another one. */
const VISIBLE = '^[^\\p{Cc}\\p{Cf}]+$';

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE });

/** Loose on purpose: only a message to an address proves that it works. */
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f@]+@[^\\s\\u0000-\\u001f\\u007f@]+$',
});

export const Password = Type.String({ minLength: passwordLengthMin, maxLength: passwordLengthMax });

/** Any text: an id that does not exist is a 404, whatever it looks like. */
export const AnyId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_]+$' });

/** Any text: one that is not a token is unknown. */
export const Secret = Type.String({ minLength: 1, maxLength: 1_000 });

/** Why something is done, in the operator's words. */
export const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: PRINTABLE });
