import { Badge } from './badge.tsx';

/** One line of what a search has found. */
export interface Choice {
  key: string;
  name: string;
  detail: string;
  kind?: string;
}

interface ChoicesProps<One extends Choice> {
  /** The id of the list, which the field names. */
  list: string;
  label: string;
  choices: readonly One[];
  active: number;
  onChoose(choice: One): void;
}

/** The id of the line at an index. */
export const choiceId = (list: string, index: number): string => `${list}-${index}`;

/** What a search has found, below its field: the field keeps the focus. */
export function Choices<One extends Choice>({ list, label, choices, active, onChoose }: ChoicesProps<One>) {
  return (
    <div id={list} role="listbox" aria-label={label}>
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
        <div
          key={choice.key}
          id={choiceId(list, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onChoose(choice)}
        >
          {choice.kind && <Badge tone="quiet">{choice.kind}</Badge>}
          <span class="found">
            <strong>{choice.name}</strong> <span>{choice.detail}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** The index after an arrow key; null for any other. */
export function movedBy(key: string, active: number, count: number): number | null {
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || count === 0) return null;
  return (active + (key === 'ArrowDown' ? 1 : count - 1)) % count;
}
