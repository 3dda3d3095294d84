/** A button that does not take so many jobs is off, and says why. */
export function limited(jobs: number, most: number): { disabled: boolean; 'data-hint'?: string } {
  return jobs > most ? { disabled: true, 'data-hint': `At most ${most} jobs at a time` } : { disabled: false };
}
