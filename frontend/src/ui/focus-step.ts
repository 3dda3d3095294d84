/** Moves the focus `by` places among the matching elements; to the first when none of them has it. */
export function focusStep(container: HTMLElement | null, selector: string, by: number): void {
  const stops = [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at < 0 ? 0 : Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}
