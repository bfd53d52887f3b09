/**
 * The same function, which remembers its answers by their argument. It forgets all of them when there are too many: those that are
 * asked for often are soon back.
 */
export function remembered<Value>(
  answersMax: number,
  answer: (argument: string) => Value,
): (argument: string) => Value {
  const answers = new Map<string, Value>();
  return (argument) => {
    const known = answers.get(argument);
    if (known !== undefined) return known;
    const fresh = answer(argument);
    if (answers.size >= answersMax) answers.clear();
    answers.set(argument, fresh);
    return fresh;
  };
}
