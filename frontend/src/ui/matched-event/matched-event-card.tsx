import type { MatchedEvent } from '@svc/contracts';
import { isWindowsEvent, writeEventXml } from '@svc/engine';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type ComponentType } from 'react';
import { cx } from '../class-names.ts';
import { CopyButton } from '../copy-button.tsx';
import { LinkButton } from '../link-button.tsx';
import { Switcher } from '../switcher.tsx';
import { Time } from '../time.tsx';
import { evidenceOf, headlineOf, pieces, type EvidenceField } from './evidence.ts';
import styles from './matched-event-card.module.css';
import type { RuleTerm } from './read-rule.ts';
import { wrapParts } from './wrap-parts.ts';

export interface PivotsProps {
  /** Of the field. */
  readonly name: string;
  readonly text: string;
  readonly className?: string | undefined;
}

interface CardProps {
  readonly event: MatchedEvent;
  readonly terms: readonly RuleTerm[];
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Shown beside a value: where else it can be looked for. */
  readonly Pivots?: ComponentType<PivotsProps> | undefined;
}

/** A matched event: its head always, its fields when unfolded, what the rule matched first. */
export function MatchedEventCard({ event, terms, open, onToggle, Pivots }: CardProps) {
  const id = useId();
  const evidence = evidenceOf(event.fields, terms);
  const headline = headlineOf(evidence);
  return (
    <section className={styles.event}>
      <button type="button" className={styles.head} aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <IconChevronRight size={14} stroke={2} className={cx(styles.arrow, open && styles.open)} aria-hidden="true" />
        <span className={styles.time}>
          {event.timestamp === null ? <span className="faint">No time</span> : <Time iso={event.timestamp} precise />}
        </span>
        {event.computer !== null && <span className={styles.computer}>{event.computer}</span>}
        {event.event_id !== null && <span className={styles.eventId}>Event {event.event_id}</span>}
        {!open && headline && <code className={cx(styles.preview, 'cut')}>{headline.text}</code>}
        {open && event.channel !== null && <span className={cx(styles.channel, 'cut')}>{event.channel}</span>}
        {event.record_id !== null && <span className={styles.record}>#{event.record_id}</span>}
      </button>
      {open && (
        <div id={id} className={styles.body}>
          <Body event={event} lead={evidence.lead} rest={evidence.rest} Pivots={Pivots} />
        </div>
      )}
    </section>
  );
}

interface BodyProps extends Pick<CardProps, 'event' | 'Pivots'> {
  readonly lead: readonly EvidenceField[];
  readonly rest: readonly EvidenceField[];
}

function Body({ event, lead, rest, Pivots }: BodyProps) {
  const [form, setForm] = useState<'fields' | RawForm>('fields');
  const [all, setAll] = useState(false);
  const raw = rawText(event, form === 'xml' ? 'xml' : 'json');
  const folds = lead.length > 0 && rest.length > 3;
  return (
    <>
      <div className={styles.tools}>
        {event.found_by && <span className={styles.note}>Matched by {event.found_by.join(', ')}</span>}
        {form === 'xml' && <span className={styles.note}>XML, from the stored fields</span>}
        <Switcher
          label="Form"
          value={form}
          options={[['fields', 'Fields'], ['json', 'JSON'], ...(isWindowsEvent(event.fields) ? [xmlOption] : [])]}
          onChange={setForm}
        />
        <CopyButton text={raw} what={form === 'xml' ? 'event as XML' : 'event as JSON'} />
      </div>
      {form === 'fields' ? (
        <dl className={styles.fields}>
          {[...lead, ...(all || !folds ? rest : [])].map((field) => (
            <Field key={field.name} field={field} Pivots={Pivots} />
          ))}
        </dl>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        <pre className={styles.raw} tabIndex={0}>
          {raw}
        </pre>
      )}
      {form === 'fields' && folds && (
        <LinkButton className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Show fewer fields' : `Show ${rest.length} more fields`}
        </LinkButton>
      )}
    </>
  );
}

type RawForm = 'json' | 'xml';
const xmlOption = ['xml', 'XML'] as const;

function rawText(event: MatchedEvent, form: RawForm): string {
  return form === 'xml' ? writeEventXml(event.fields) : JSON.stringify(event, null, 2);
}

function Field({
  field: { name, text, matched, marks },
  Pivots,
}: { field: EvidenceField } & Pick<CardProps, 'Pivots'>) {
  return (
    <div className={cx(styles.field, matched && styles.matched)}>
      <dt
        className={styles.name}
        data-hint={
          matched ? (marks.length > 0 ? 'The rule matched the marked part' : 'The rule tests this field') : undefined
        }
      >
        {name}
      </dt>
      <dd className={styles.value}>
        <span className={styles.text}>
          {text === '' && <span className="faint">empty</span>}
          {wrapParts(name, text, marks).map((part, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of a text are known by their place only
            <span key={place} className={part.isBlank ? undefined : styles.part}>
              <Marked text={part.text} marks={part.marks} />
            </span>
          ))}
        </span>
        {Pivots && <Pivots name={name} text={text} className={styles.copy} />}
        <CopyButton text={text} what={name} className={styles.copy} />
      </dd>
    </div>
  );
}

function Marked({ text, marks }: Pick<EvidenceField, 'text' | 'marks'>) {
  return pieces(text, marks).map(({ text: part, marked }, place) =>
    marked ? (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text are known by their place only
      <mark key={place} className={styles.mark}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
