import '@mantine/core/styles/Input.layer.css';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { RuleList } from '@svc/contracts';
import { listText, listValues, ruleListLimits } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { listDeeds, ruleListQuery, useListDeed } from '../../api/rule-lists.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';

interface DialogProps {
  readonly onClose: () => void;
  /** What it came to, in a sentence. */
  readonly onDone: (said: string) => void;
}

const matches = [
  { value: 'exact', label: 'Whole values' },
  { value: 'suffix', label: 'Ends of values: .tk' },
  { value: 'domain', label: 'Domains and all below them' },
];

/** A list with all of its values, to change for administrators; a new one where there is none. */
export function EditList({ list, isAdmin, ...dialog }: DialogProps & { list: RuleList | null; isAdmin: boolean }) {
  const title = list === null ? 'New list' : list.name;
  return (
    <Dialog title={title} onClose={dialog.onClose}>
      {list === null ? <ListForm list={null} {...dialog} /> : <WholeList id={list.id} isAdmin={isAdmin} {...dialog} />}
    </Dialog>
  );
}

function WholeList({ id, isAdmin, ...dialog }: DialogProps & { id: number; isAdmin: boolean }) {
  const whole = useQuery(ruleListQuery(id));
  if (whole.data === undefined) {
    if (!whole.isError) return <Skeleton height={240} />;
    return <ErrorState what="The list cannot be read" error={whole.error} retry={() => void whole.refetch()} />;
  }
  if (isAdmin) return <ListForm list={whole.data} {...dialog} />;
  return (
    <Textarea
      label={counted(whole.data.count, 'value')}
      readOnly
      rows={16}
      value={listText(whole.data.values)}
      spellCheck={false}
    />
  );
}

function ListForm({ list, onClose, onDone }: DialogProps & { list: RuleList | null }) {
  const [text, setText] = useState(listText(list?.values ?? []));
  const values = listValues(text);
  const save = useListDeed(
    (form: FormData) => {
      const fields = {
        match: fieldText(form, 'match') as RuleList['match'],
        description: fieldText(form, 'description'),
        values,
        source_url: fieldText(form, 'source_url'),
        refresh_hours: fieldText(form, 'refresh_hours') || 0,
      };
      return list === null
        ? listDeeds.create({ ...fields, name: fieldText(form, 'name').trim() })
        : listDeeds.edit({ ...fields, id: list.id });
    },
    ({ name }) => onDone(list === null ? `Made “${name}”` : `Saved “${name}”`),
  );
  const isTooLong = values.length > ruleListLimits.values;
  return (
    <Form
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      actions={
        <DialogButtons
          words={list === null ? 'Make list' : 'Save'}
          pending={save.isPending}
          disabled={values.length === 0 || isTooLong}
          onClose={onClose}
        />
      }
    >
      {list === null && (
        <TextInput
          label="Name"
          name="name"
          description="What conditions say: a–z, 0–9 and _; it cannot be changed later"
          required
          withAsterisk={false}
          pattern="[a-z0-9_]{1,50}"
          maxLength={ruleListLimits.name}
          autoComplete="off"
          data-autofocus
        />
      )}
      <NativeSelect label="What an entry matches" name="match" defaultValue={list?.match ?? 'exact'} data={matches} />
      <TextInput
        label="What it is for (optional)"
        name="description"
        defaultValue={list?.description ?? ''}
        maxLength={ruleListLimits.description}
        autoComplete="off"
      />
      <Textarea
        label="Values"
        description={`One a line, or with commas between them · ${count(values.length)} of ${count(ruleListLimits.values)}`}
        error={isTooLong && `A list holds ${count(ruleListLimits.values)} values at most`}
        rows={10}
        value={text}
        spellCheck={false}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <TextInput
        label="Source (optional)"
        name="source_url"
        type="url"
        description="A text of lines, a CSV or a hosts file at an address that everybody can reach"
        defaultValue={list?.source_url ?? ''}
        maxLength={ruleListLimits.url}
        autoComplete="off"
      />
      <TextInput
        label="Hours between readings"
        name="refresh_hours"
        type="number"
        min={0}
        max={ruleListLimits.refreshHours}
        description="0 to read it on demand only"
        defaultValue={String(list?.refresh_hours ?? 0)}
      />
    </Form>
  );
}

/** Refused as long as rules ask for it, which are named. */
export function DeleteList({ list, onClose, onDone }: DialogProps & { list: RuleList }) {
  const id = useId();
  const remove = useListDeed(
    () => listDeeds.remove(list.id),
    () => onDone(`Deleted “${list.name}”`),
  );
  const isUsed = list.used_by.length > 0;
  return (
    <Dialog title={`Delete “${list.name}”`} onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate(undefined)}
        actions={
          <DialogButtons words="Delete list" pending={remove.isPending} disabled={isUsed} dangerous onClose={onClose} />
        }
      >
        <p id={id} className="soft">
          {isUsed
            ? `Rules ask for it: ${list.used_by.slice(0, 5).join(', ')}. Change or delete them first.`
            : `Its ${counted(list.count, 'value')} ${list.count === 1 ? 'goes' : 'go'} with it. Searches that name it find nothing from then on.`}
        </p>
      </Form>
    </Dialog>
  );
}
