const views = ['queue', 'scheduled', 'anew'] as const;
/** What the page of tasks shows; the first is in no address. */
export type TasksTab = 'activity' | (typeof views)[number];

export interface TasksView {
  readonly view?: Exclude<TasksTab, 'activity'>;
}

/** Reads the address; a value that makes no sense is dropped. */
export function tasksView({ view }: Readonly<Record<string, unknown>>): TasksView {
  const found = views.find((one) => one === view);
  return found === undefined ? {} : { view: found };
}
