import { gzipSync } from 'node:zlib';
import { loadRules, type LogType } from '@svc/engine';
import { Exercise, sourceOf } from '@svc/engine/testing';
import type { Random } from '../samples/random.ts';
import { byteMutations, replaceBytes } from './bytes.ts';
import { chunksOf, mutateSpot, type Spot, spotsOf } from './evtx.ts';
import { regexCase } from './regexes.ts';
import { fuzzRules, ruleTexts, ruleTokens } from './rules.ts';
import { seeds } from './seeds.ts';
import { mutateText } from './text.ts';
import { zipOf } from './zip.ts';

/** One door of the engine: what it is given, and how that is changed. */
export interface Target {
  /** A kind of log, or `parts`, `gzip`, `zip`, `regexes` or `rules`. */
  readonly name: string;
  /** An input: a seed with some changes, the same for the same randomness. */
  input(random: Random): Uint8Array;
  /**
   * Takes an input in, in one of several ways; returns the records read, or rules loaded. Rejects where
   * the engine is wrong.
   */
  run(bytes: Uint8Array, way: number): Promise<number>;
}

const newLine = Buffer.from('\n');
const tokens = ruleTokens.map((token) => new TextEncoder().encode(token));

/** Every door of the engine; they share rules and tables, as one process would. */
export function targets(root: string): readonly Target[] {
  const exercise = new Exercise(fuzzRules());
  const byType = seeds(root);
  const some = [...byType].flatMap(([type, all]) => (type === 'evtx' ? [] : all.slice(0, 3)));
  const events = new TextEncoder().encode(
    '{"EventID":1,"Channel":"Security","Image":"C:\\\\a.exe","CommandLine":"aaaaaaaaaaaaaaaaaaaaaaaaaaaa -enc whoami"}',
  );
  return [
    ...[...byType].map(([type, all]) => logTarget(exercise, type, all)),
    {
      name: 'parts',
      ...changed(partSeeds(byType), (bytes, random, all) =>
        random.int(0, 1) === 0 ? mutateText(bytes, random) : withByteChange(bytes, random, all),
      ),
      run: (bytes) => exercise.parts(bytes, Math.min(65_536, Math.ceil(bytes.length / 3))),
    },
    {
      name: 'gzip',
      ...changed(
        some.map((bytes) => gzipSync(bytes)),
        withByteChange,
      ),
      run: (bytes) => exercise.analyze(sourceOf(bytes)),
    },
    {
      name: 'zip',
      ...changed(
        some.map((bytes, i) => zipOf([bytes, some[(i + 1) % some.length]!])),
        withByteChange,
      ),
      run: (bytes) => exercise.unpack(bytes),
    },
    {
      name: 'regexes',
      input: (random) => new TextEncoder().encode(JSON.stringify(regexCase(random))),
      async run(bytes) {
        const { rule, event } = JSON.parse(Buffer.from(bytes).toString()) as ReturnType<typeof regexCase>;
        const { rules, loaded } = loadRules([{ path: 'x.yml', text: rule }]);
        if (loaded > 0) await new Exercise(rules).read('json_evtx', Buffer.from(event));
        return loaded;
      },
    },
    {
      name: 'rules',
      ...changed(
        ruleTexts.map((text) => new TextEncoder().encode(text)),
        (bytes, random, all) =>
          random.int(0, 3) === 0
            ? withByteChange(bytes, random, all)
            : replaceBytes(bytes, random.int(0, bytes.length), 0, random.pick(tokens)),
      ),
      async run(bytes) {
        const { rules, loaded } = loadRules([{ path: 'x.yml', text: Buffer.from(bytes).toString() }]);
        if (loaded > 0) await new Exercise(rules).read('json_evtx', events);
        return loaded;
      },
    },
  ];
}

/** Logs long enough to be read in parts. */
function partSeeds(byType: ReadonlyMap<LogType, readonly Uint8Array[]>): readonly Uint8Array[] {
  return [...byType].flatMap(([type, all]) =>
    all.slice(0, 6).map((one, i) => {
      const next = all[(i + 1) % all.length]!;
      return type === 'evtx' ? chunksOf([one, next, one]) : Buffer.concat([one, newLine, next, newLine, one]);
    }),
  );
}

type Change = (bytes: Uint8Array, random: Random, all: readonly Uint8Array[]) => Uint8Array;

function changed(all: readonly Uint8Array[], change: Change): Pick<Target, 'input'> {
  return {
    input(random) {
      let bytes: Uint8Array = new Uint8Array(random.pick(all));
      for (let i = random.pick([1, 1, 2, 3, 8]); i > 0; i--) bytes = change(bytes, random, all);
      return bytes;
    },
  };
}

function withByteChange(bytes: Uint8Array, random: Random, all: readonly Uint8Array[]): Uint8Array {
  return random.pick(byteMutations)(bytes, random, all);
}

function logTarget(exercise: Exercise, type: LogType, all: readonly Uint8Array[]): Target {
  return {
    name: type,
    ...(type === 'evtx' ? { input: evtxInput(all) } : changed(all, textChange)),
    // Every fourth as a caller has it, who does not say what it is.
    run: (bytes, way) =>
      way % 4 === 0 ? exercise.analyze(sourceOf(bytes)) : exercise.read(type, bytes, way % 2 === 1),
  };
}

function textChange(bytes: Uint8Array, random: Random, all: readonly Uint8Array[]): Uint8Array {
  return random.int(0, 1) === 0 ? mutateText(bytes, random) : withByteChange(bytes, random, all);
}

/** Mostly changes of numbers that matter, which must come first, while they are where they were. */
function evtxInput(all: readonly Uint8Array[]): Target['input'] {
  const known = all.map((bytes): [Uint8Array, readonly Spot[]] => [bytes, spotsOf(bytes)]);
  return (random) => {
    const [seed, spots] = random.pick(known);
    let bytes: Uint8Array = new Uint8Array(seed);
    for (let i = random.int(0, 4); i > 0; i--) bytes = mutateSpot(bytes, spots, random);
    for (let i = random.pick([0, 0, 1, 1, 3]); i > 0; i--) bytes = withByteChange(bytes, random, all);
    return bytes;
  };
}
