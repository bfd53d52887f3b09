import type { ComponentChildren } from 'preact';

export interface NoticeProps {
  kind: 'problem' | 'warning' | 'done' | 'empty';
  children: ComponentChildren;
}

/** Something to know. Problems are announced to whoever listens. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <p class={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
