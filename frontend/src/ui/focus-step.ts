import type { KeyboardEvent } from 'react';

/** Moves the focus `by` places among the matching elements; to the first when none of them has it. */
export function focusStep(container: HTMLElement | null, selector: string, by: number): void {
  const stops = [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at < 0 ? 0 : Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}

/** Has arrow keys move the focus among the buttons within. */
export function stepByArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  focusStep(event.currentTarget, 'button', by);
}
