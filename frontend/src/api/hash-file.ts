/** What the worker tells of its work. */
export type HashMessage =
  | { readonly at: 'reading'; readonly done: number }
  | { readonly at: 'done'; readonly sha256: string }
  | { readonly at: 'unreadable' };

/** SHA-256 of a file as 64 hex digits, taken in a worker of its own, which is loaded only here. */
export function hashFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    const stop = (): void => reject(new DOMException('Stopped', 'AbortError'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
      if (data.at === 'reading') onProgress(data.done);
      else if (data.at === 'done') resolve(data.sha256);
      else reject(new Error('The file cannot be read any more. Choose it again.'));
    });
    worker.addEventListener('error', () => reject(new Error('The file could not be hashed. Reload the page.')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
