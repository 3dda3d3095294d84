import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Command {
  readonly bundle?: string;
  readonly beside?: readonly string[];
  readonly script?: string;
  readonly commands?: readonly string[];
}

const { commands } = (await import(new URL('../../scripts/commands.mjs', import.meta.url).href)) as {
  commands: Record<string, Command>;
};
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the table of npm scripts', () => {
  it('has those that package.json leaves to it, under the same names', () => {
    const left = Object.entries(scripts).filter(([, line]) => line.includes('scripts/run.mjs'));
    expect(left.map(([, line]) => line)).toEqual(left.map(([name]) => `node scripts/run.mjs ${name}`));
    expect(left.map(([name]) => name).sort()).toEqual(Object.keys(commands).sort());
  });

  it.each(Object.entries(commands))(
    '%s runs what there is',
    (_name, { bundle, beside = [], script, commands: others = [] }) => {
      const files = [
        ...(bundle === undefined ? [] : [bundle]),
        ...beside,
        ...(script === undefined ? [] : [`scripts/${script}`]),
      ];
      expect(files.filter((path) => !existsSync(path))).toEqual([]);
      expect(others.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
    },
  );
});
