/** Everything that this library throws on purpose. */
export class DatelineError extends Error {
  override readonly name: string = 'DatelineError';
}
