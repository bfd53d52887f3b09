/** Memoizes a function by its argument. The cache is cleared when it is full: frequent arguments are soon back. */
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
