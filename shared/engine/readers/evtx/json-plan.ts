import { type JsonOutput, jsonPiece } from './json-output.ts';
import { containers, freeKey } from './json-renderer.ts';
import {
  attributed,
  dataLeaf,
  emptyText,
  fixed,
  isBlankJson,
  leaf,
  nullText,
  type Place,
  type PlacedAttribute,
  separate,
  type Step,
  textMember,
  writeAttributes,
  writeMember,
} from './json-steps.ts';
import { LONGEST_OUTPUT, Parts, typedValues } from './pieces.ts';
import type { ElementPart, TextPart } from './nodes.ts';
import type { RecordFrame } from './record-frame.ts';
import { DEEPEST_ELEMENT } from './tokens.ts';

/** An element among its siblings; Data elements in a container go by their names. */
interface Member {
  readonly element: ElementPart;
  readonly isData: boolean;
}

/** An attribute: its key as JSON, and its value as JSON where that is the template's own. */
interface AttributePlan {
  readonly key: string;
  readonly value: string | Place;
}

/** How the records of one layout are written: ready pieces of JSON, and values between them. */
export class JsonPlan {
  readonly #steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** The plan for records such as this one; undefined where one part of them depends on another. */
  static of(frame: RecordFrame): JsonPlan | undefined {
    const builder = new PlanBuilder(frame);
    const steps = builder.build();
    return steps && new JsonPlan(steps);
  }

  /** Writes the record; false where it is one that the plan does not fit, of which part may be written. */
  write(out: JsonOutput, frame: RecordFrame): boolean {
    const longest = out.length + LONGEST_OUTPUT;
    for (const step of this.#steps) if (!step(out, frame) || out.length > longest) return false;
    return true;
  }
}

class PlanBuilder {
  readonly #parts: Parts;
  readonly #steps: Step[] = [];
  #fixed = '';
  /** Whether a comma comes before the next member of the object being written. */
  #comma: 'no' | 'yes' | 'maybe' = 'no';
  #depth = 0;
  #isRegular = true;

  constructor(frame: RecordFrame) {
    this.#parts = new Parts(frame);
  }

  build(): readonly Step[] | undefined {
    this.#fixed = '{';
    this.#members(this.#parts.roots(), false);
    this.#fixed += '}';
    this.#flush();
    return this.#isRegular && !this.#parts.isCut ? this.#steps : undefined;
  }

  #members(elements: readonly ElementPart[], isContainer: boolean): void {
    const groups = new Map<string, Member[]>();
    for (const element of elements) {
      const { name } = element.piece;
      const isData = isContainer && name === 'Data';
      const key = isData ? this.#parts.dataName(element) : freeKey(groups, name);
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [{ element, isData }]);
      else known.push({ element, isData });
    }
    for (const [key, members] of groups) {
      this.#separate();
      this.#fixed += key === '' ? '"Data":{"#text":' : `${JSON.stringify(key)}:`;
      this.#together(members);
      if (key === '') this.#fixed += '}';
      this.#comma = 'yes';
    }
  }

  #together(members: readonly Member[]): void {
    if (members.length > 1) this.#fixed += '[';
    for (const [i, member] of members.entries()) {
      if (i > 0) this.#fixed += ',';
      this.#value(member, members.length === 1);
    }
    if (members.length > 1) this.#fixed += ']';
  }

  #value({ element, isData }: Member, isAlone: boolean): void {
    if (this.#depth === DEEPEST_ELEMENT) {
      this.#isRegular = false;
      return;
    }
    this.#depth++;
    const { texts, children } = this.#parts.open(element);
    const attributes = this.#attributes(element, isData);
    const text = this.#text(texts);
    if (children.length > 0 || attributes.some(({ value }) => typeof value === 'string')) {
      this.#object(element, attributes, text, children);
    } else if (attributes.length > 0) {
      this.#step(attributed(placed(attributes), text, isData ? emptyText : nullText));
    } else if (typeof text === 'object') {
      this.#step(isData ? dataLeaf(text, isAlone) : leaf(text, nullText));
    } else {
      this.#fixed += text || (isData ? '""' : 'null');
    }
    this.#depth--;
  }

  /** An element that is an object in all records. */
  #object(
    { piece }: ElementPart,
    attributes: readonly AttributePlan[],
    text: string | Place,
    children: readonly ElementPart[],
  ): void {
    this.#fixed += '{';
    this.#comma = 'no';
    this.#objectAttributes(attributes);
    if (typeof text === 'object') {
      this.#step(textMember(text));
      this.#maySeparate();
    } else if (!isBlankJson(text)) {
      this.#separate();
      this.#fixed += `"#text":${text}`;
      this.#comma = 'yes';
    }
    this.#members(children, containers.has(piece.name));
    this.#fixed += '}';
  }

  #objectAttributes(attributes: readonly AttributePlan[]): void {
    if (attributes.length === 0) return;
    const inRecords = placed(attributes);
    if (inRecords.length === attributes.length) {
      this.#step((out, frame) => writeAttributes(out, frame, inRecords));
      this.#comma = 'maybe';
      return;
    }
    this.#fixed += '"#attributes":{';
    for (const { key, value } of attributes) {
      if (typeof value === 'object') {
        const piece = jsonPiece(key);
        this.#step((out, frame) => writeMember(out, frame, piece, value));
        this.#maySeparate();
        continue;
      }
      this.#separate();
      this.#fixed += key + value;
      this.#comma = 'yes';
    }
    this.#fixed += '}';
    this.#comma = 'yes';
  }

  /** Attributes that some record may have; of those that are the template's own, the ones with a text. */
  #attributes({ piece, instance }: ElementPart, isData: boolean): readonly AttributePlan[] {
    const plans: AttributePlan[] = [];
    for (const { name, content } of piece.attributes) {
      if (isData && name === 'Name') continue;
      const value = this.#text(this.#parts.split(content, instance).texts);
      if (value !== '') plans.push({ key: `${JSON.stringify(name)}:`, value });
    }
    return plans;
  }

  /** The template's own text as JSON, empty where there is none; or where a value stands. */
  #text(texts: readonly TextPart[]): string | Place {
    const [first] = texts;
    if (first?.piece.kind === 'value' && texts.length === 1)
      return { instance: first.instance, index: first.piece.index };
    if (texts.some(({ piece }) => piece.kind === 'value')) this.#isRegular = false;
    const [value = ''] = this.#isRegular ? typedValues(this.#parts.frame, texts) : [];
    return value === '' ? '' : typeof value === 'string' ? JSON.stringify(value) : String(value);
  }

  #separate(): void {
    if (this.#comma === 'yes') this.#fixed += ',';
    else if (this.#comma === 'maybe') this.#step(separate);
  }

  /** A member has been written in some records only. */
  #maySeparate(): void {
    if (this.#comma === 'no') this.#comma = 'maybe';
  }

  #step(step: Step): void {
    this.#flush();
    this.#steps.push(step);
  }

  #flush(): void {
    if (this.#fixed === '') return;
    this.#steps.push(fixed(jsonPiece(this.#fixed)));
    this.#fixed = '';
  }
}

/** The attributes that stand in the records. */
function placed(attributes: readonly AttributePlan[]): readonly PlacedAttribute[] {
  return attributes.flatMap(({ key, value }) =>
    typeof value === 'object' ? { key: jsonPiece(key), place: value } : [],
  );
}
