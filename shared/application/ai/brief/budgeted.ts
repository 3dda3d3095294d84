/** What did not find room. */
export interface Omissions {
  /** Findings beyond those that any brief tells of. */
  readonly beyondCap: number;
  /** Findings that would have been told of, and did not fit. */
  readonly bySize: number;
  /** Names of parts that did not fit whole. */
  readonly parts: readonly string[];
}

export interface Brief {
  readonly text: string;
  readonly omitted: Omissions;
  /** Findings that are told of, in the order of the brief. */
  readonly findings: number;
}

interface Part {
  readonly name: string;
  readonly lines: readonly string[];
}

interface Parts {
  /** Whatever the size. */
  readonly head: string;
  readonly parts: readonly Part[];
  /** Told of whole, or not at all; the first that does not fit ends them. */
  readonly findings: readonly string[];
  /** Findings that there are, told of or not. */
  readonly found: number;
}

/** Lines within a number of characters; room for the note on what is left out is kept from the start. */
export function withinBudget({ head, parts, findings, found }: Parts, budget: number): Brief {
  const beyondCap = found - findings.length;
  const longest = noteOf({ beyondCap, bySize: findings.length, parts: parts.map(({ name }) => name) });
  const fullSize = size([head, ...parts.flatMap(({ lines }) => lines), findingsTitle, ...findings]);
  // A brief that is whole needs no note.
  const reserved = fullSize <= budget && beyondCap === 0 ? 0 : longest.length + 2;
  let left = budget - head.length - reserved;
  const taken: string[] = [head];
  const take = (line: string): boolean => {
    if (line.length + 1 > left) return false;
    left -= line.length + 1;
    taken.push(line);
    return true;
  };
  const cut: string[] = [];
  for (const { name, lines } of parts) if (!lines.every(take)) cut.push(name);
  let shown = 0;
  if (findings.length > 0 && take(findingsTitle)) {
    for (const finding of findings) {
      if (!take(finding)) break;
      shown++;
    }
  }
  const omitted = { beyondCap, bySize: findings.length - shown, parts: cut };
  const note = noteOf(omitted);
  return { text: [...taken, ...(note === '' ? [] : ['', note])].join('\n').slice(0, budget), omitted, findings: shown };
}

const findingsTitle = '\n## Findings, the worst first';

/** What is left out, a line for each kind. */
export function omissionLines({ beyondCap, bySize, parts }: Omissions): string[] {
  return [
    beyondCap > 0 && `${beyondCap} findings beyond the worst ones`,
    bySize > 0 && `${bySize} findings that did not fit`,
    parts.length > 0 && `some of: ${parts.join(', ')}`,
  ].filter((line) => line !== false);
}

function noteOf(omitted: Omissions): string {
  const left = omissionLines(omitted);
  return left.length === 0
    ? ''
    : `## Left out\nThis brief is partial. It leaves out ${left.join('; ')}. Do not conclude that what is not here did not happen.`;
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, -1);
}

/** A part with its title; nothing where it has no lines. `name` is what it is called where it is left out. */
export function part(name: string, title: string, lines: readonly string[]): Part {
  return { name, lines: lines.length === 0 ? [] : [`\n## ${title}`, ...lines] };
}
