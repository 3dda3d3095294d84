import { endpointOf, type EndpointProfile } from '../endpoint/endpoint-profile.ts';
import { falconEvent } from '../endpoint/falcon.ts';
import { holdsOsqueryRows } from '../endpoint/osquery.ts';
import type { JsonLeaf } from '../json/json-leaf.ts';
import type { JsonScan } from '../json/json-scan.ts';
import { givenTree, isLeaf, isList, isTree, type JsonNode, type JsonTree, plainValue } from '../json/json-tree.ts';
import type { JsonObject } from '../json/json-value.ts';
import { filledRow } from '../log-analytics/dynamic-columns.ts';
import { auditIn, huntingRow, isTableRow } from '../log-analytics/table-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { type EventOf, windowsEventOf } from '../windows-forms/forms.ts';
import { profileOf } from './signatures.ts';

const deepest = 64;
const mostLeaves = 4096;
/** Names under which exports hold the record itself, some of them as text. */
const holderKeys = ['CloudTrailEvent', 'AuditData', '_source', 'auditData'];

const noEndpoint: EndpointProfile = () => undefined;

/** A scalar and its dotted name. */
export interface NamedLeaf {
  readonly name: string;
  readonly leaf: JsonLeaf;
}

/** Where a field stands. */
export interface Place {
  /** Name of the field in lower case. */
  readonly key: string;
  /** One value, or several where arrays lie on the way; undefined where the records do not have the field. */
  readonly items: readonly JsonNode[] | undefined;
  readonly decodes: boolean;
}

/** What records with the same keys and nesting have in common, which is looked for once for all of them. */
export class ObjectPlan {
  readonly tree: JsonTree;
  /** What the tree stands in, or the tree itself. */
  readonly wrapper: JsonTree;
  /** Whether the record is a row of a table, of which only what is filled in counts. */
  readonly isRow: boolean;
  /** Whether the record holds rows of osquery that are records of their own, or a Windows event. */
  readonly holdsRows: boolean;
  /** Values that may hold the record itself as JSON, to be tried in order. */
  readonly holders: readonly JsonLeaf[];
  readonly #scan: JsonScan | undefined;
  readonly #places = new Map<Profile, (Place | undefined)[]>();
  #endpoint: EndpointProfile | undefined;
  #profile: Profile | undefined;
  #leaves: readonly NamedLeaf[] | undefined;
  #eventOf: EventOf | null | undefined;

  /** @param scan where the tree is that of a scan. */
  constructor(record: JsonTree, scan?: JsonScan) {
    const holders: JsonLeaf[] = [];
    let tree = record;
    for (const key of holderKeys) {
      const inner = record[key];
      if (isLeaf(inner)) holders.push(inner);
      if (!isTree(inner)) continue;
      tree = inner;
      break;
    }
    this.tree = tree === record ? falconEvent(auditIn(huntingRow(record))) : tree;
    this.wrapper = record;
    this.isRow = isTableRow(this.tree);
    this.holdsRows = holdsOsqueryRows(this.tree);
    this.holders = holders;
    this.#scan = scan;
  }

  /** Plan of this row alone, with what is filled in. */
  filled(): ObjectPlan {
    const row = filledRow(plainValue(this.tree) as JsonObject);
    return new ObjectPlan(givenTree(this.wrapper === this.tree ? row : { ...shell(this.wrapper), properties: row }));
  }

  /** How to take the Windows event out of such records, which may stand among those of other products; else null. */
  get eventOf(): EventOf | null {
    return (this.#eventOf ??= windowsEventOf(this.wrapper) ?? (isEvent(this.wrapper) ? itself : null));
  }

  /** What the record is that the scan holds. */
  profile(): Profile {
    if (this.#profile !== undefined) return this.#profile;
    const asked = { values: new Set<number>(), fillings: new Set<number>() };
    if (this.#scan !== undefined) this.#scan.asked = asked;
    const profile = profileOf(this.tree, this.wrapper, (this.#endpoint ??= endpointOf(this.tree) ?? noEndpoint));
    if (this.#scan !== undefined) this.#scan.asked = undefined;
    // Where a value has decided, another record may be something else.
    if (asked.values.size + asked.fillings.size === 0) this.#profile = profile;
    return profile;
  }

  /** By field, its place in the records of a profile, of those looked for so far. */
  places(profile: Profile): (Place | undefined)[] {
    let places = this.#places.get(profile);
    if (places === undefined) this.#places.set(profile, (places = []));
    return places;
  }

  /** All scalars in document order, as far as they are kept. */
  get leaves(): readonly NamedLeaf[] {
    return (this.#leaves ??= leavesOf(this.tree));
  }
}

const itself: EventOf = (record) => record;

/** Whether a record is a Windows event in the event's own form, or a shipper's. */
function isEvent({ Event: event, winlog }: JsonTree): boolean {
  return isTree(winlog) || (isTree(event) && isTree(event.System));
}

/** The scalars of a wrapper. */
function shell(wrapper: JsonTree): JsonObject {
  return Object.fromEntries(
    Object.entries(wrapper).flatMap(([key, node]) => (isLeaf(node) ? [[key, node.value()]] : [])),
  );
}

function leavesOf(record: JsonTree): readonly NamedLeaf[] {
  const leaves: NamedLeaf[] = [];
  const walk = (node: JsonNode, name: string, depth: number): void => {
    if (isLeaf(node)) {
      if (leaves.length < mostLeaves) leaves.push({ name, leaf: node });
    } else if (depth <= deepest) {
      if (isList(node)) for (const item of node) walk(item, name, depth + 1);
      else for (const key in node) walk(node[key]!, name === '' ? key : `${name}.${key}`, depth + 1);
    }
  };
  walk(record, '', 0);
  return leaves;
}
