/** Matches the paths that one of `touches` stands for: it is a path or the beginning of one; `**` stands for anything. */
export function touchPattern(touch: string): RegExp {
  const parts = touch.split('**').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}(\\.|$)`);
}
