import { escapeXml } from './escape-xml.ts';

/** A matched record as it is stored: an `OutputRecord`, perhaps by way of JSON. */
export type StoredRecord = Readonly<Record<string, unknown>>;

const namespace = 'http://schemas.microsoft.com/win/2004/08/events/event';

/** The elements of System in their order: the record's name of the text, and of each attribute. */
const systemElements: readonly (readonly [element: string, text: string | null, ...attributes: string[]])[] = [
  ['Provider', null, 'Provider_Name', 'Provider_Guid', 'Provider_EventSourceName'],
  ['EventID', 'EventID', 'Qualifiers'],
  ['Version', 'Version'],
  ['Level', 'Level'],
  ['Task', 'Task'],
  ['Opcode', 'Opcode'],
  ['Keywords', 'Keywords'],
  ['TimeCreated', null, 'TimeCreated_SystemTime'],
  ['EventRecordID', 'EventRecordID'],
  ['Correlation', null, 'Correlation_ActivityID', 'Correlation_RelatedActivityID'],
  ['Execution', null, 'Execution_ProcessID', 'Execution_ThreadID', 'Execution_ProcessorID', 'Execution_SessionID',
    'Execution_KernelTime', 'Execution_UserTime', 'Execution_ProcessorTime'],
  ['Channel', 'Channel'],
  ['Computer', 'Computer'],
  ['Security', null, 'Security_UserID'],
]; // oxfmt-ignore

/** The elements of RenderingInfo that only it has, in their order. */
const renderedElements = ['Level', 'Task', 'Opcode', 'Channel', 'Provider'];
/** What readers and callers add to a record of their own. */
const addedNames = ['_offset', '_recovered', '_file'];

/** Whether a record is of a Windows event, so that it can be written as one. */
export function isWindowsEvent({ EventID, Channel, Provider_Name }: StoredRecord): boolean {
  return EventID !== undefined && (Channel !== undefined || Provider_Name !== undefined);
}

/**
 * Writes the record of a Windows event as indented event XML under the names of detection-engine 2.6, the other
 * way round. A record is flat: values below UserData's root stand in the root itself, attributes of
 * data are elements of their own, and empty elements are missing; all else reads as it was.
 */
export function writeEventXml(record: StoredRecord): string {
  return new EventWriter(record).write();
}

class EventWriter {
  readonly #values: Map<string, string[]>;
  readonly #lines: string[] = [];

  constructor(record: StoredRecord) {
    this.#values = new Map(Object.entries(record).map(([name, value]) => [name, textsOf(value)]));
    for (const name of addedNames) this.#values.delete(name);
  }

  write(): string {
    this.#lines.push(`<Event xmlns="${namespace}">`);
    this.#system();
    const rendered = this.#rendered();
    this.#data();
    this.#section('RenderingInfo', rendered.attribute, rendered.children);
    return [...this.#lines, '</Event>'].join('\n');
  }

  /** The first value of each name is System's; others are data of the same name. */
  #system(): void {
    const children = systemElements.flatMap(([element, textName, ...names]) => {
      const attributes = names.map((name) => attribute(name.slice(name.indexOf('_') + 1), this.#first(name)));
      const text = textName === null ? undefined : this.#first(textName);
      const start = `${element}${attributes.join('')}`;
      if (text === undefined) return start === element ? [] : [`<${start}/>`];
      return [`<${start}>${content(text)}</${element}>`];
    });
    this.#section('System', '', children);
  }

  /** What was rendered of the event. A message alone may as well be data, which is called so too. */
  #rendered(): { attribute: string; children: readonly string[] } {
    const culture = this.#values.get('RenderingInfo_Culture')?.pop();
    const children = renderedElements.flatMap((name) => this.#all(`${name}_Text`).map((text) => leaf(name, text)));
    const keywords = this.#all('Keywords_Text').map((text) => `  ${leaf('Keyword', text)}`);
    if (keywords.length > 0) children.push('<Keywords>', ...keywords, '</Keywords>');
    const isRendered = culture !== undefined || children.length > 0;
    const message = isRendered ? this.#values.get('Message')?.pop() : undefined;
    if (message !== undefined) children.unshift(leaf('Message', message));
    return { attribute: attribute('Culture', culture), children };
  }

  #data(): void {
    const roots = this.#values.get('UserData_Root') ?? [];
    const isUserData = roots.length > 0 && roots.every(isElementName);
    const name = attribute('Name', this.#first('EventData_Name'));
    if (!isUserData) return this.#section('EventData', name, this.#rest(eventDatum));
    this.#values.delete('UserData_Root');
    this.#section('EventData', name, []);
    const [root, ...others] = roots;
    const children = this.#rest(userDatum).map((child) => `  ${child}`);
    const whole = children.length === 0 ? [`<${root}/>`] : [`<${root}>`, ...children, `</${root}>`];
    this.#section('UserData', '', [...whole, ...others.map((other) => `<${other}/>`)]);
  }

  /** The element with its children indented; nothing where it would be empty. */
  #section(element: string, attributes: string, children: readonly string[]): void {
    if (children.length > 0) {
      this.#lines.push(`  <${element}${attributes}>`, ...children.map((child) => `    ${child}`), `  </${element}>`);
    } else if (attributes !== '') this.#lines.push(`  <${element}${attributes}/>`);
  }

  #first(name: string): string | undefined {
    return this.#values.get(name)?.shift();
  }

  #all(name: string): readonly string[] {
    const texts = this.#values.get(name) ?? [];
    this.#values.delete(name);
    return texts;
  }

  #rest(write: (name: string, text: string) => string): readonly string[] {
    return [...this.#values].flatMap(([name, texts]) => texts.map((text) => write(name, text)));
  }
}

/** Classic events have their bytes beside the unnamed strings. */
function eventDatum(name: string, text: string): string {
  if (name === 'Data' || name === 'Binary') return leaf(name, text);
  return `<Data${attribute('Name', name)}>${content(text)}</Data>`;
}

function userDatum(name: string, text: string): string {
  return isElementName(name) ? leaf(name, text) : eventDatum(name, text);
}

function leaf(element: string, text: string): string {
  return `<${element}>${content(text)}</${element}>`;
}

function attribute(name: string, text: string | undefined): string {
  return text === undefined ? '' : ` ${name}="${escapeXml(text)}"`;
}

/** Line feeds and tabs stay as they are, so that scripts can be read, unless they could be taken for indentation. */
function content(text: string): string {
  const escaped = escapeXml(text);
  return text.trim() === '' ? escaped : escaped.replaceAll('&#10;', '\n').replaceAll('&#9;', '\t');
}

/** Readers give names without prefix, so a colon is none of theirs. */
function isElementName(name: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(name);
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || value === undefined || value === '') return [];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
