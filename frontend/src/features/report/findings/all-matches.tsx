import type { FindingGroups, FindingMatches, FindingRow } from '@svc/contracts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { saveBlob } from '../../../api/save-blob.ts';
import { useMe } from '../../../api/session.ts';
import {
  forgetMatches,
  gatheringQuery,
  groupsQuery,
  isUnderWay,
  matchesQuery,
  pageWith,
  useReport,
} from '../../../api/report-source.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { MatchedEventCard } from '../../../ui/matched-event/matched-event-card.tsx';
import type { RuleTerm } from '../../../ui/matched-event/read-rule.ts';
import { ErrorState, reasonOf, Skeleton } from '../../../ui/states.tsx';
import styles from './all-matches.module.css';
import { FieldDoor } from '../doors/field-door.tsx';

interface AllMatchesProps {
  readonly finding: FindingRow;
  readonly terms: readonly RuleTerm[];
  /** Fields that the events can be grouped by. */
  readonly fields: readonly string[];
  /** Place of the event that was unfolded last: its page is shown first. */
  readonly looked: number | null;
  /** Told the place of an event that is unfolded. */
  readonly onLook: (place: number) => void;
}

interface Group {
  readonly field: string;
  /** Null for events without the field; undefined while no value is chosen. */
  readonly value?: string | null;
}

/** Every matched event of a finding, a page at a time, or how often the values of a field occur among them. */
export function AllMatches({ finding, terms, fields, looked, onLook }: AllMatchesProps) {
  const [group, setGroup] = useState<Group | null>(null);
  const [page, setPage] = useState(pageWith(looked));
  const show = (next: Group | null): void => {
    setGroup(next);
    setPage(1);
  };
  return (
    <div className={styles.matches}>
      <div className={styles.bar}>
        <label className={styles.by}>
          Group by
          <select
            className={styles.select}
            value={group?.field ?? ''}
            onChange={({ currentTarget: { value } }) => show(value === '' ? null : { field: value })}
          >
            <option value="">nothing</option>
            {fields.map((field) => (
              <option key={field} value={field}>
                {field}
              </option>
            ))}
          </select>
        </label>
        {group?.value !== undefined && (
          <span className={styles.chosen}>
            {group.field}: <code>{valueName(group.value)}</code>{' '}
            <LinkButton onClick={() => show({ field: group.field })}>All values</LinkButton>
          </span>
        )}
        <span className={styles.steps}>
          <Export finding={finding} format="jsonl" text="Export JSON lines" />
          <Export finding={finding} format="csv" text="Export CSV" />
        </span>
      </div>
      {group === null || group.value !== undefined ? (
        <Pages
          finding={finding}
          terms={terms}
          group={group}
          page={page}
          looked={looked}
          onPage={setPage}
          onLook={onLook}
        />
      ) : (
        <Groups finding={finding} field={group.field} onChoose={(value) => show({ field: group.field, value })} />
      )}
    </div>
  );
}

interface ExportProps {
  readonly finding: FindingRow;
  readonly format: 'jsonl' | 'csv';
  readonly text: string;
}

/** All matched events that are at hand as a file, whatever is shown of them. */
function Export({ finding, format, text }: ExportProps) {
  const report = useReport();
  const name = `finding_${finding.id}_matches.${format}`;
  const save = async (): Promise<void> => {
    const file = report.exported(finding.id, format);
    if (typeof file === 'string') location.assign(file);
    else saveBlob(await file, name);
  };
  return <LinkButton onClick={() => void save()}>{text}</LinkButton>;
}

interface PagesProps extends Omit<AllMatchesProps, 'fields'> {
  readonly group: Group | null;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Pages({ finding, terms, group, page, looked, onPage, onLook }: PagesProps) {
  const report = useReport();
  const asked = { page, field: group?.field, value: group?.value ?? null };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...matchesQuery(report, finding.id, asked),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<ReadonlySet<number | null>>(new Set([looked]));
  if (error) return <ErrorState what="The events cannot be read" error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { events, per, more } = data;
  const first = (data.page - 1) * per;
  return (
    <>
      <div className={styles.bar}>
        <span aria-live="polite" aria-busy={isPlaceholderData}>
          {events.length === 0
            ? 'No events on this page'
            : `${count(first + 1)} to ${count(first + events.length)}${group === null ? ` of ${count(data.count)}` : ''}`}
          <AtHand finding={finding} told={data} />
        </span>
        <span className={styles.steps}>
          <LinkButton disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous page
          </LinkButton>
          <LinkButton disabled={!more} onClick={() => onPage(page + 1)}>
            Next page
          </LinkButton>
        </span>
      </div>
      {events.map((event, at) => {
        const place = data.places[at]!;
        return (
          <MatchedEventCard
            key={place}
            event={event}
            terms={terms}
            open={open.has(place)}
            Pivots={FieldDoor}
            onToggle={() => {
              if (!open.has(place)) onLook(place);
              setOpen(new Set(open.has(place) ? [...open].filter((one) => one !== place) : [...open, place]));
            }}
          />
        );
      })}
    </>
  );
}

interface GroupsProps {
  readonly finding: FindingRow;
  readonly field: string;
  readonly onChoose: (value: string | null) => void;
}

function Groups({ finding, field, onChoose }: GroupsProps) {
  const report = useReport();
  const { data, error, refetch } = useQuery(groupsQuery(report, finding.id, field));
  if (error) return <ErrorState what="The events cannot be grouped" error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <p className={styles.told}>
        {data.values.more ? 'More than ' : ''}
        {counted(data.values.count, 'value')} in {counted(data.events, 'event')}
        <AtHand finding={finding} told={data} />
      </p>
      <table className={styles.groups}>
        <thead>
          <tr>
            <th scope="col">{field}</th>
            <th scope="col">Events</th>
          </tr>
        </thead>
        <tbody>
          {data.groups.map(({ value, count: events }) => (
            <tr key={value === null ? '' : `=${value}`}>
              <td>
                <LinkButton className={styles.value} onClick={() => onChoose(value)}>
                  {valueName(value)}
                </LinkButton>
              </td>
              <td>{count(events)}</td>
            </tr>
          ))}
          {data.others > 0 && (
            <tr>
              <td className="faint">Other values</td>
              <td>{count(data.others)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

interface AtHandProps {
  readonly finding: FindingRow;
  readonly told: Pick<FindingMatches | FindingGroups, 'complete' | 'from'>;
}

/** What is not at hand of the matches, and how to have it; nothing where all are. */
function AtHand({ finding, told: { complete, from } }: AtHandProps) {
  const report = useReport();
  const me = useMe();
  if (complete) return null;
  return (
    <span className="faint">
      {from === 'samples'
        ? ' · only the sample events are still kept'
        : ' · only the first matched events of this log were kept'}
      {report.gathering && (me ? <Gathering finding={finding} /> : ' (who is signed in can have the log read again)')}
    </span>
  );
}

/** Has the log read again, and says how that goes. */
function Gathering({ finding: { id } }: { finding: FindingRow }) {
  const report = useReport();
  const state = useQuery(gatheringQuery(report, id));
  const ask = useMutation({ mutationFn: () => report.gathering!.ask(id), onSuccess: () => state.refetch() });
  const last = state.data?.last;
  const isDone = last?.status === 'completed';
  useEffect(() => {
    if (isDone) void forgetMatches(report, id);
  }, [isDone, report, id]);
  if (!state.data) return null;
  if (state.data.refused !== null) return ` (${state.data.refused})`;
  if (isUnderWay(state.data)) return ` · reading the log again: ${last?.detail ?? 'a worker begins shortly'}`;
  return (
    <>
      {' · '}
      <LinkButton disabled={ask.isPending} onClick={() => ask.mutate()}>
        Read the log again
      </LinkButton>
      {ask.isError ? ` ${reasonOf(ask.error)}` : last?.status === 'failed' && ` (the last time: ${last.detail})`}
    </>
  );
}

function valueName(value: string | null): string {
  return value === null ? '(no such field)' : value === '' ? '(empty)' : value;
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-busy="true" aria-label="The events are loading">
      <Skeleton height={200} />
    </div>
  );
}
