import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Has this thread, and those that it starts, take processors after what people wait for: requests, and the hashes of
 * their passwords. Only Linux gives threads priorities of their own; elsewhere nothing changes.
 */
export function workBehindOthers(): void {
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const behind = getPriority(process.pid) + constants.priority.PRIORITY_BELOW_NORMAL;
    setPriority(thread, Math.min(behind, constants.priority.PRIORITY_LOW));
  } catch {
    // Another system, or one that does not allow it.
  }
}
