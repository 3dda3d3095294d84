import type { AdminEngine } from '@svc/contracts';

type Program = NonNullable<AdminEngine['program']>;

/** How an engine comes to the machine of a worker, as its makers have it. */
export const installing: Readonly<Record<string, { readonly how: string; readonly lines: readonly string[] }>> = {
  'evtx-timeline': {
    how: 'Unpack a release, whose rules come with it, and put the program on the PATH under the name hayabusa, or name it here.',
    lines: [
      'unzip hayabusa-VERSION-lin-x64-gnu.zip -d /opt/hayabusa',
      'ln -s /opt/hayabusa/hayabusa-VERSION-lin-x64-gnu /usr/local/bin/hayabusa',
      'hayabusa update-rules',
    ],
  },
  'evtx-hunt': {
    how: 'Unpack a release with its folder mappings, and put the program on the PATH.',
    lines: [
      'tar xzf chainsaw_x86_64-unknown-linux-gnu.tar.gz -C /opt',
      'ln -s /opt/chainsaw/chainsaw_x86_64-unknown-linux-gnu /usr/local/bin/chainsaw',
    ],
  },
  'sigma-multi': {
    how: 'It runs with Python. Its own folder must hold config/config.yaml.',
    lines: [
      'git clone https://github.com/wagga40/Zircolite /opt/zircolite',
      'python3 -m venv /opt/zircolite/venv',
      '/opt/zircolite/venv/bin/pip install -r /opt/zircolite/requirements.full.txt',
    ],
  },
  'sigma-text': {
    how: 'It builds with Go. Its folder mappings must be above the program.',
    lines: [
      'git clone https://github.com/M00NLIG7/ChopChopGo /opt/chopchopgo',
      'cd /opt/chopchopgo && go build -o ChopChopGo',
      'ln -s /opt/chopchopgo/ChopChopGo /usr/local/bin/ChopChopGo',
    ],
  },
};

/** In which way an engine runs. */
export function kindOf({ built_in: isBuiltIn, program }: AdminEngine): string {
  if (isBuiltIn) return 'Comes with the service';
  if (program === null) return 'A program, looked for on the PATH of workers';
  return { path: 'A program', image: 'A container image', dockerfile: 'An image that workers build' }[program.kind];
}

/** Where it is, as the site says. */
export function placeOf(program: Program): string {
  return program.kind === 'path' ? program.path : program.kind === 'image' ? program.image : program.dockerfile;
}

/** One line that says how an engine stands. */
export function stateOf({ enabled, seen }: AdminEngine): { readonly tone: 'good' | 'warn' | 'bad'; text: string } {
  if (!enabled) return { tone: 'warn', text: 'Not enabled: workflows leave its tasks out' };
  if (seen === null) return { tone: 'warn', text: 'Enabled; no worker has looked for it yet' };
  return seen.missing === null
    ? { tone: 'good', text: 'Enabled' }
    : { tone: 'bad', text: 'Enabled, and cannot run: its tasks are skipped' };
}
