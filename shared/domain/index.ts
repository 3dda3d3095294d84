export * from './actor.ts';
export * from './errors.ts';
export * from './file-name.ts';
export * from './job-status.ts';
export * from './log-type.ts';
export * from './severity.ts';
export * from './tactics.ts';
