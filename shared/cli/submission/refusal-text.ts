import { RequestError } from '@svc/contracts';

/** What to do about a refusal, where the service cannot know it. */
const advice: Readonly<Record<string, string>> = {
  job_gone: 'The job of this file was deleted since; --force analyses the file again',
  key_reused: 'The service has this file with other options; --force analyses it anew',
};

/** Why a file was not submitted, in words that need no name before them. */
export function refusalText(error: unknown, fileName: string): string {
  if (error instanceof RequestError) {
    const reference = error.status >= 500 && error.requestId !== null ? ` (request ${error.requestId})` : '';
    return `${advice[error.code] ?? error.message}${reference}`;
  }
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(`${fileName}: `) ? text.slice(fileName.length + 2) : text;
}
