import type { ProblemLog } from '../problem-log.ts';

/**
 * What may be wrong in an EVTX file (detection-engine 2.1 to 2.5). Only values that are asked for are
 * decoded, so only those are found to have a wrong length.
 */
const messages = {
  'file-signature': 'The file does not begin as an event log; chunks were searched for in all of it.',
  'file-version': 'The file header names a version that is not 3.1 or 3.2.',
  'file-checksum': 'The checksum of the file header is wrong.',
  'file-chunk-count': 'The file header names another number of chunks than there are, as in a log that was in use.',
  'chunk-empty': 'A chunk before the last one is empty.',
  'chunk-unsigned': 'A chunk has no signature and was left out.',
  'chunk-truncated': 'The file ends in the middle of a chunk.',
  'chunk-checksum': 'A checksum of a chunk is wrong; it was read nevertheless.',
  'record-header': 'A record begins or ends in a wrong way; reading went on at the next sound one.',
  'record-unreadable': 'The content of a record cannot be read; it was left out.',
  'record-damaged': 'Part of the content of a record cannot be read; the rest was kept.',
  'value-length': 'A value does not have the length of its type; it was read as far as it goes.',
} as const;

export type EvtxProblem = keyof typeof messages;

/** @param count how many of the kind there are from the offset on. */
export function report(problems: ProblemLog, problem: EvtxProblem, offset: number, count = 1): void {
  problems.addAll({ code: problem, message: messages[problem], offset, count });
}
