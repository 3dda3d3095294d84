import type { Job, TaskResult, UploadedFile } from '@svc/domain';
import type { jobs, taskResults, uploadedFiles } from './schema/index.ts';

/** A row as the domain knows it. */
export function toJob(row: typeof jobs.$inferSelect): Job {
  const { submitterIp: _ip, claim: _claim, searchName: _name, firstEventAt: _first, lastEventAt: _last, ...job } = row;
  return job;
}

/** A row as the domain knows it. */
export function toFile(row: typeof uploadedFiles.$inferSelect): UploadedFile {
  const { uploaderIp: _ip, ...file } = row;
  return file;
}

/** A row as the domain knows it, without its place and its log. */
export function toTaskResult(row: Omit<typeof taskResults.$inferSelect, 'held' | 'logOutput'>): TaskResult {
  const { position: _position, startedAt: _started, finishedAt: _finished, ruleSet, ...task } = row;
  return { ...task, ruleSet: ruleSet && { ...ruleSet, packs: ruleSet.packs ?? [] } };
}
