import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { CloseButton, Textarea, TextInput } from '@mantine/core';
import type { FindingRow, MatchedEvent, SuppressionPreview } from '@svc/contracts';
import { suppressionLimits, suppressionTests, type SuppressionCondition } from '@svc/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { jobQuery } from '../../../api/queries.ts';
import { eventsQuery, useReport } from '../../../api/report-source.ts';
import { useMe } from '../../../api/session.ts';
import { suppressionPreviewQuery, useSuppress } from '../../../api/suppressions.ts';
import { Choice } from '../../../ui/choice.tsx';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldText } from '../../../ui/form-fields.ts';
import { Form } from '../../../ui/form.tsx';
import { counted } from '../../../ui/format.ts';
import { OptionField } from '../../../ui/option-field.tsx';
import { reasonOf } from '../../../ui/states.tsx';
import styles from './suppress-dialog.module.css';

const dayMs = 86_400_000;
const terms = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'A year'],
  ['', 'Until it is taken back'],
] as const;

/** Says of matches of a rule that they are ordinary here: which, where, why and for how long, and what that would do. */
export function SuppressDialog(props: { jobId: number; finding: FindingRow; onClose: () => void }) {
  const { jobId, finding, onClose } = props;
  const me = useMe();
  const { data: job } = useQuery(jobQuery(jobId));
  const [picked, setPicked] = useState<readonly SuppressionCondition[]>([]);
  const [days, setDays] = useState<string>('90');
  const [chosen, setScope] = useState<string>();
  const suppress = useSuppress(jobId);
  const scopes = [
    ...(me?.role === 'admin' ? ([['', 'The whole instance']] as const) : []),
    ...(job?.member_cases ?? []).map(({ case_id: id, name }) => [String(id), `The case “${name}”`] as const),
  ];
  const scope = chosen ?? scopes[0]?.[0];
  const caseId = scope === undefined || scope === '' ? null : Number(scope);
  const conditions = picked.filter(({ value }) => value !== '').map((one) => ({ ...one }));
  const wanted = { rule_id: finding.rule_id!, conditions, case_id: caseId };
  const save = (form: FormData) => {
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
    const said = {
      rule_name: finding.rule_name,
      reason: fieldText(form, 'reason'),
      expires_at,
      finding_id: finding.id,
    };
    suppress.mutate({ ...wanted, ...said }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Not in my environment" onClose={onClose}>
      {scope === undefined ? (
        <p className="soft">
          What is suppressed in the whole instance is decided by administrators. Put this job into a case, and you can
          suppress findings within that.
        </p>
      ) : (
        <Form
          error={suppress.error}
          onSubmit={save}
          actions={<DialogButtons words="Suppress" pending={suppress.isPending} onClose={onClose} />}
        >
          <p className={styles.rule}>
            Matches of <strong>{finding.rule_name}</strong>{' '}
            {picked.length === 0 ? 'are ordinary here, all of them.' : 'are ordinary here where all of this holds:'}
          </p>
          <Conditions picked={picked} onChange={setPicked} />
          <Fields finding={finding} picked={picked} onPick={setPicked} />
          <Preview wanted={wanted} />
          <OptionField label="Where" value={scope} options={scopes} onChange={setScope} />
          <Textarea
            label="Why it is ordinary"
            name="reason"
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={suppressionLimits.reason}
          />
          <OptionField label="For how long" value={days} options={terms} onChange={setDays} />
        </Form>
      )}
    </Dialog>
  );
}

interface Picking {
  readonly picked: readonly SuppressionCondition[];
  readonly onChange: (picked: readonly SuppressionCondition[]) => void;
}

const testNames = { equals: 'is', contains: 'contains', startswith: 'starts with', endswith: 'ends with' } as const;
const tests = suppressionTests.map((test) => [test, testNames[test]] as const);

function Conditions({ picked, onChange }: Picking) {
  const change = (at: number, over: Partial<SuppressionCondition>) =>
    onChange(picked.map((one, place) => (place === at ? { ...one, ...over } : one)));
  return (
    <ul className={styles.conditions} aria-label="Conditions">
      {picked.map(({ field, test, value }, at) => (
        <li key={field}>
          <code>{field}</code>
          <Choice
            label={`How ${field} is compared`}
            value={test}
            options={tests}
            onChange={(next) => change(at, { test: suppressionTests.find((one) => one === next) ?? test })}
          />
          <TextInput
            aria-label={`Value of ${field}`}
            size="xs"
            value={value}
            maxLength={suppressionLimits.value}
            onChange={({ currentTarget }) => change(at, { value: currentTarget.value })}
          />
          <CloseButton
            size="sm"
            aria-label={`Remove ${field}`}
            onClick={() => onChange(picked.filter((_, place) => place !== at))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Those that are asked for most, first. */
const usual = ['Computer', 'Image', 'CommandLine', 'ParentImage', 'User', 'SubjectUserName', 'TargetUserName'];

/** The fields of the first event that is kept, each of which becomes a condition. */
function Fields(props: { finding: FindingRow; picked: Picking['picked']; onPick: Picking['onChange'] }) {
  const { finding, picked, onPick } = props;
  const report = useReport();
  const { data } = useQuery({ ...eventsQuery(report, finding.id), enabled: finding.has_details });
  const [first] = data?.events ?? [];
  if (first === undefined) return null;
  const known = new Set(picked.map(({ field }) => field));
  const left = fieldsOf(first).filter(([field]) => !known.has(field));
  const isFull = picked.length === suppressionLimits.conditions;
  return (
    <fieldset className={styles.fields}>
      <legend>Take from the first event</legend>
      <div>
        {left.map(([field, value]) => (
          <button
            key={field}
            type="button"
            disabled={isFull}
            onClick={() => onPick([...picked, { field, test: 'equals', value }])}
          >
            <code>{field}</code> <span className="cut">{value}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function fieldsOf({ computer, fields }: MatchedEvent): [field: string, value: string][] {
  const all = { ...(computer !== null && { Computer: computer }), ...fields };
  return Object.entries(all)
    .flatMap(([field, value]): [string, string][] => {
      const [one]: readonly unknown[] = Array.isArray(value) ? value : [value];
      const text = typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? String(one) : '';
      if (text === '' || field.length > suppressionLimits.field) return [];
      return [[field, text.slice(0, suppressionLimits.value)]];
    })
    .sort(([a], [b]) => placeOf(a) - placeOf(b));
}

function placeOf(field: string): number {
  return usual.includes(field) ? usual.indexOf(field) : usual.length;
}

function Preview({ wanted }: { wanted: Parameters<typeof suppressionPreviewQuery>[0] }) {
  const { data, error } = useQuery({ ...suppressionPreviewQuery(wanted), placeholderData: keepPreviousData });
  return (
    <p role="status" className={styles.preview}>
      {error ? reasonOf(error) : data === undefined ? 'Looking at what it would do…' : inWords(data)}
    </p>
  );
}

function inWords({ findings, looked, whole, partly, unknown, events, jobs }: SuppressionPreview): string {
  const of = looked < findings ? `the newest ${looked} of ${findings} findings` : counted(looked, 'finding');
  const parts = [
    `Would suppress ${whole} of ${of} in jobs that you may see`,
    ...(partly > 0 ? [`${partly} in part`] : []),
    ...(events > 0 ? [`${counted(events, 'event')} of ${counted(jobs, 'job')}`] : []),
  ];
  const left =
    unknown > 0
      ? ` ${counted(unknown, 'finding')} stay as they are: not all of their events were kept to be looked at.`
      : '';
  return `${parts.join(', ')}.${left}`;
}
