/** What findings are known to be of one rule by. */
export interface GroupedFinding {
  readonly engine: string;
  readonly ruleId: string | null;
  readonly ruleName: string;
}

/**
 * Findings by rule (detection-engine 5.1): those of one id, in whatever case; those that only one engine has under
 * their id, or that have none, also by title. In the order of their first ones.
 */
export function ruleGroups<F extends GroupedFinding>(findings: readonly F[]): F[][] {
  let without = 0;
  const byId = groupedBy(findings, ({ ruleId }) => ruleId?.toLowerCase() ?? `#${(without += 1)}`);
  const shared = new Map(byId.filter(isShared).map((group) => [titleOf(group), group]));
  const groups = new Map<F[], F[]>();
  const alone = new Map<string, F[]>();
  for (const group of byId) {
    const title = titleOf(group);
    const other = isShared(group) ? group : (shared.get(title) ?? alone.get(title));
    if (other === undefined) alone.set(title, group);
    const into = other ?? group;
    groups.set(into, [...(groups.get(into) ?? []), ...group]);
  }
  return [...groups.values()];
}

function isShared(group: readonly GroupedFinding[]): boolean {
  return group.some(({ engine }) => engine !== group[0]?.engine);
}

function titleOf(group: readonly GroupedFinding[]): string {
  return (group[0]?.ruleName ?? '').trim().toLowerCase().replace(/\s+/g, ' ');
}

/** Things in the order of the first with their key. */
export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
