import type { AiFactKind } from '@svc/domain';
import { isWhole } from '../word-trie.ts';
import type { Evidence } from './evidence.ts';
import { valuesIn, type ValueInText } from './values-in.ts';

/** A value of an answer, held against the evidence. */
export interface CheckedValue {
  readonly kind: AiFactKind;
  readonly value: string;
  readonly isKnown: boolean;
  readonly jobId: number | null;
  readonly findingId: number | null;
}

/** More are of no use to a reader. */
const mostValues = 1000;

/** What an answer names: what the evidence has, and what looks as if it were from there and is not. */
export function verifyAnswer(answer: string, evidence: Evidence): CheckedValue[] {
  const found = new Map<string, CheckedValue>();
  for (const one of namedIn(answer, evidence)) found.set(one.value.toLowerCase(), one);
  for (const { kind, value } of valuesIn(answer)) {
    const key = value.toLowerCase();
    if (!found.has(key)) found.set(key, { kind, value, ...placeOf({ kind, value }, evidence) });
  }
  return [...found.values()].slice(0, mostValues);
}

function namedIn(answer: string, { names }: Evidence): CheckedValue[] {
  const named: CheckedValue[] = [];
  for (let at = 0; at < answer.length; at++) {
    const found = names.longestAt(answer, at, (_, end) => isWhole(answer, at, end));
    if (found === null) continue;
    named.push({ ...found.value, value: answer.slice(at, found.end), isKnown: true });
    at = found.end - 1;
  }
  return named;
}

type Place = Pick<CheckedValue, 'isKnown' | 'jobId' | 'findingId'>;
const missing: Place = { isKnown: false, jobId: null, findingId: null };
const known: Place = { ...missing, isKnown: true };

function placeOf({ kind, value }: ValueInText, evidence: Evidence): Place {
  switch (kind) {
    case 'stand_in':
      return missing;
    case 'finding': {
      const id = numberOf(value);
      const jobId = evidence.findings.get(id);
      return jobId === undefined ? missing : { isKnown: true, jobId, findingId: id };
    }
    case 'job':
      return evidence.jobs.has(numberOf(value)) ? { ...known, jobId: numberOf(value) } : missing;
    case 'technique':
      return hasTechnique(value.toUpperCase(), evidence) ? known : missing;
    case 'user': {
      const [realm, account] = value.split('\\');
      const isSplit = account !== undefined && evidence.has(realm!) && evidence.has(account);
      return isSplit || evidence.has(value) ? known : missing;
    }
    default:
      return evidence.has(value) ? known : missing;
  }
}

/** A technique is there where one of its own is. */
function hasTechnique(technique: string, { techniques }: Evidence): boolean {
  return techniques.has(technique) || [...techniques].some((one) => one.startsWith(`${technique}.`));
}

function numberOf(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}
