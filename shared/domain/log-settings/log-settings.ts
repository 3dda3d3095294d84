import type { LogSetting } from './log-setting.ts';
import { otherLogs } from './other-logs.ts';
import { securityAudit } from './security-audit.ts';
import { windowsLogs } from './windows-logs.ts';

/** What a responder can have logged for more to be detected; each with the records by which it is known to be on. */
export const logSettings: readonly LogSetting[] = [...securityAudit, ...windowsLogs, ...otherLogs];
