export * from './analytics-schema.ts';
export * from './container-settings.ts';
export { serviceRoleOf } from './database-variables.ts';
export * from './env.ts';
export * from './samples-schema.ts';
export * from './schedules.ts';
export * from './served-hosts.ts';
export * from './workflow-schema.ts';
