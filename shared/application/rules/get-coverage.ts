import type { LogSettingGain, operations, OutputOf, PackCoverage } from '@svc/contracts';
import { type Actor, type LogSetting, logSettings, type RulePack, techniquesOf } from '@svc/domain';
import { type LoggedKind, LoggedKinds, type RuleNeed } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';
import type { ArtifactPorts } from './rule-artifact.ts';
import { catalogOf, type CatalogRule, parentOf } from './rule-catalog.ts';

/** Newest jobs whose records tell what is logged; what was logged once and no longer is counts for little. */
export const jobsLookedAt = 1000;

type CoveragePorts = ArtifactPorts & Pick<Ports, 'derivations' | 'log' | 'rulePacks'>;

interface Rule {
  readonly pack: string;
  /** With those that they are under. */
  readonly techniques: readonly string[];
  readonly needs: CatalogRule['needs'];
}

/** What the rules in force cover given the logs that the caller may see, and what each further log would add. */
export async function getCoverage(
  ports: CoveragePorts,
  actor: Actor,
): Promise<OutputOf<typeof operations.getCoverage>> {
  const packs = (await ports.rulePacks.list()).filter(({ pack }) => pack.enabled);
  const { jobs, kinds } = await ports.derivations.kindsSeenBy(actor, jobsLookedAt);
  const rules: Rule[] = [];
  for (const { pack, overrides } of packs) {
    const off = new Set(overrides.flatMap(({ ruleId, enabled }) => (enabled ? [] : ruleId)));
    for (const { id, tags, needs } of await rulesOf(ports, pack)) {
      if (id !== null && off.has(id.toLowerCase())) continue;
      const own = techniquesOf(tags);
      rules.push({ pack: pack.name, techniques: [...new Set([...own, ...own.map(parentOf)])], needs });
    }
  }
  return { packs: packs.map(({ pack }) => pack.name), jobs, ...coverageOf(rules, kinds, logSettings) };
}

/** Those of a pack; of one that cannot be read, which readiness tells administrators, none. */
async function rulesOf(ports: CoveragePorts, { name, inForce }: RulePack): Promise<readonly CatalogRule[]> {
  try {
    return (await catalogOf(ports, inForce)).rules;
  } catch (error) {
    ports.log.warn('a rule pack was left out of the coverage', { pack: name, error });
    return [];
  }
}

/** Of rules, for the kinds of records received. */
export function coverageOf(
  rules: readonly Rule[],
  kinds: readonly LoggedKind[],
  settings: readonly LogSetting[],
): Pick<OutputOf<typeof operations.getCoverage>, 'techniques' | 'settings'> {
  const received = new ReceivedLogs(kinds, settings);
  const blind: Rule[] = [];
  const covered = new Set<string>();
  const techniques = new Map<string, Map<string, PackCoverage>>();
  for (const rule of rules) {
    const isFed = rule.needs.some((need) => received.feed(need));
    if (!isFed) blind.push(rule);
    for (const technique of rule.techniques) {
      if (isFed) covered.add(technique);
      const ofPacks = techniques.get(technique) ?? new Map<string, PackCoverage>();
      const { rules: all, fed } = ofPacks.get(rule.pack) ?? { rules: 0, fed: 0 };
      ofPacks.set(rule.pack, { pack: rule.pack, rules: all + 1, fed: fed + (isFed ? 1 : 0) });
      techniques.set(technique, ofPacks);
    }
  }
  const sorted = [...techniques].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    techniques: Object.fromEntries(sorted.map(([id, ofPacks]) => [id, [...ofPacks.values()]])),
    settings: settings
      .map((setting) => gainOf(setting, received.has(setting), blind, covered))
      .sort((a, b) => b.techniques.length - a.techniques.length || b.rules - a.rules),
  };
}

function gainOf(
  setting: LogSetting,
  isReceived: boolean,
  blind: readonly Rule[],
  covered: ReadonlySet<string>,
): LogSettingGain {
  const { key, title, platform, how } = setting;
  const logged = new LoggedKinds(kindsOf(setting));
  const gained = isReceived ? [] : blind.filter(({ needs }) => needs.some((need) => isMet(need, logged)));
  const techniques = new Set(gained.flatMap((rule) => rule.techniques).filter((one) => !covered.has(one)));
  return {
    key,
    title,
    platform,
    how: [...how],
    received: isReceived,
    techniques: [...techniques].sort(),
    rules: gained.length,
  };
}

/** Whether records of these kinds are what is needed; one without an event stands for all of its log. */
function isMet(need: RuleNeed, logged: LoggedKinds): boolean {
  return logged.seenBy(need).some((kind) => isEvent(need, kind));
}

function isEvent({ events }: RuleNeed, { channel, event }: LoggedKind): boolean {
  return events === null || channel === null || event === null || events.includes(event.toLowerCase());
}

/** What was received, by which it is told what can be expected of the logs. */
class ReceivedLogs {
  readonly #kinds: LoggedKinds;
  readonly #received: readonly LogSetting[];
  readonly #logged: readonly LoggedKinds[];
  /** Channels and event ids that are only logged once something was switched on. */
  readonly #switched: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

  constructor(kinds: readonly LoggedKind[], settings: readonly LogSetting[]) {
    this.#kinds = new LoggedKinds(kinds);
    const met = new Set(kinds.flatMap(keysOf));
    this.#received = settings.filter((setting) => kindsOf(setting).some((kind) => met.has(keysOf(kind)[0]!)));
    this.#logged = this.#received.map((setting) => new LoggedKinds(kindsOf(setting)));
    const switched = settings.filter(({ isDefault }) => !isDefault).flatMap(kindsOf);
    this.#switched = new Set(switched.flatMap((kind) => (kind.event === null ? [] : keysOf(kind)[0]!)));
  }

  has(setting: LogSetting): boolean {
    return this.#received.includes(setting);
  }

  /**
   * An event that no one has received may only not have happened: it counts as logged where other events of the same
   * setting were, or where its channel was received and nothing has to be switched on for it.
   */
  feed(need: RuleNeed): boolean {
    const key = JSON.stringify(need);
    const known = this.#known.get(key) ?? this.#feeds(need);
    this.#known.set(key, known);
    return known;
  }

  #feeds(need: RuleNeed): boolean {
    if (isMet(need, this.#kinds) || this.#logged.some((logged) => isMet(need, logged))) return true;
    const channels = new Set(this.#kinds.seenBy(need).flatMap(({ channel }) => channel ?? []));
    return [...channels].some((channel) => need.events?.some((event) => !this.#switched.has(keyOf(channel, event))));
  }
}

/** The pretended records of a setting. */
function kindsOf({ logs }: LogSetting): LoggedKind[] {
  return logs.flatMap((log): LoggedKind[] => {
    if ('source' in log) return [{ source: log.source, channel: null, provider: null, event: log.type ?? null }];
    const kind = { source: 'windows', channel: log.channel, provider: log.provider ?? null };
    return (log.events ?? [null]).map((event) => ({ ...kind, event: event === null ? null : String(event) }));
  });
}

/** By which what is received is found among what settings log: the event first, then all of its log. */
function keysOf({ source, channel, event }: LoggedKind): string[] {
  const log = channel ?? source ?? '';
  return event === null ? [keyOf(log, '')] : [keyOf(log, event), keyOf(log, '')];
}

function keyOf(log: string, event: string): string {
  return `${log}\n${event}`.toLowerCase();
}
