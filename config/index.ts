export * from './analytics-schema.ts';
export * from './env.ts';
export { containerSettings, settingsWithoutEffect } from './environment/containers.ts';
export { databaseUrlOf, serviceRoleOf } from './environment/database.ts';
export { servedHosts } from './environment/hosts.ts';
export { keyValueUrl } from './environment/key-value.ts';
export * from './samples-schema.ts';
export * from './schedules.ts';
