export * from './accounts.ts';
export * from './finding-events.ts';
export * from './findings.ts';
export * from './jobs.ts';
export * from './queued-tasks.ts';
export * from './task-results.ts';
export * from './uploaded-files.ts';
export * from './workflows.ts';
