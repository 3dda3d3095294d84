import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './argument-values.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks for a line that nobody may see, on a terminal without showing it; where nobody types, it is the
 * first line of the input. Throws a `UsageError` when there is none.
 */
export function askSecret({ input, err }: Pick<Terminal, 'input' | 'err'>, question: string): Promise<string> {
  const isTyped = input.isTTY === true;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: isTyped });
  // Only now, as the terminal would show what is typed before.
  if (isTyped) err(question);
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('close', () => {
      if (isTyped) err('\n');
      reject(new UsageError('Nothing was entered'));
    });
  });
}
