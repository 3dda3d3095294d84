import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch, TextInput } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { caseLimits } from '@svc/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ForCase } from '../../api/adding-to-case.ts';
import { refreshCases } from '../../api/cases.ts';
import { casesQuery } from '../../api/queries.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { paths } from '../../paths.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { OptionField } from '../../ui/option-field.tsx';
import { Notice } from '../../ui/states.tsx';

/** What came of it. */
interface Done {
  readonly id: number;
  readonly name: string;
  readonly words: string;
}

/** Puts things into a case that is open, or into a new one. */
export function AddToCase({ things, onClose }: { things: ForCase; onClose: () => void }) {
  const { entities = [], jobs = [] } = things;
  const { data: cases = [] } = useQuery(casesQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? String(cases[0]?.id ?? 'new');
  const [done, setDone] = useState<Done | null>(null);
  const add = useMutation({
    mutationFn: async (form: FormData): Promise<Done> => {
      const note = fieldText(form, 'note');
      const name =
        value === 'new' ? fieldText(form, 'name') : (cases.find(({ id }) => String(id) === value)?.name ?? '');
      const id = value === 'new' ? (await call(operations.openCase, { name })).case_id : Number(value);
      let [added, named, remaining] = [0, 0, 0];
      for (const some of parts(entities)) {
        added += (await call(operations.addCaseEntities, { id, entity_ids: [...some], note })).added;
      }
      for (const some of parts(jobs)) {
        const withEntities = form.has('include_entities');
        const answer = await call(operations.addCaseJobs, {
          id,
          job_ids: [...some],
          include_entities: withEntities,
          note,
        });
        added += answer.added;
        named += answer.entities_added;
        remaining += answer.entities_remaining;
      }
      return { id, name, words: said({ asked: entities.length + jobs.length, added, named, remaining }) };
    },
    onSuccess: async (came) => {
      setDone(came);
      await Promise.all([
        refreshCases(),
        invalidate(queryKey(operations.getJob), queryKey(operations.listJobs), queryKey(operations.getEntity)),
      ]);
    },
  });
  const title = `Add ${[
    ...(entities.length > 0 ? [counted(entities.length, 'entity', 'entities')] : []),
    ...(jobs.length > 0 ? [counted(jobs.length, 'job')] : []),
  ].join(' and ')} to a case`;
  if (done !== null) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Notice tone="good">
          {done.words}{' '}
          <Link to={paths.case} params={{ caseId: done.id }} onClick={onClose} data-autofocus>
            Open {done.name}
          </Link>
        </Notice>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        error={add.error}
        onSubmit={(form) => add.mutate(form)}
        actions={<DialogButtons words="Add" pending={add.isPending} onClose={onClose} />}
      >
        <OptionField
          label="Case"
          value={value}
          options={[
            ...cases.map(({ id, name, is_shared: shared }) => [id, shared ? `${name} (shared)` : name] as const),
            ['new', 'New case…'],
          ]}
          onChange={setChosen}
        />
        {value === 'new' && (
          <TextInput
            label="Name"
            name="name"
            placeholder="What is investigated, such as a host or a campaign"
            required
            withAsterisk={false}
            maxLength={200}
            autoComplete="off"
          />
        )}
        <TextInput
          label="Note"
          name="note"
          description="Why they belong there; may stay empty"
          maxLength={caseLimits.linkNote}
          autoComplete="off"
        />
        {jobs.length > 0 && (
          <Switch
            size="xs"
            name="include_entities"
            label="With what the jobs name"
            description={`Of each job the ${caseLimits.jobEntitiesAtOnce} entities that most of its events name`}
          />
        )}
      </Form>
    </Dialog>
  );
}

function parts(ids: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(ids.length / caseLimits.atOnce);
  return Array.from({ length: count }, (_, part) =>
    ids.slice(part * caseLimits.atOnce, (part + 1) * caseLimits.atOnce),
  );
}

function said({ asked, added, named, remaining }: { asked: number; added: number; named: number; remaining: number }) {
  const before = asked - added;
  return [
    `${added} added${before > 0 ? `, ${before} ${before === 1 ? 'was' : 'were'} in it before` : ''}.`,
    ...(named > 0 ? [`With ${counted(named, 'entity', 'entities')} of the jobs.`] : []),
    ...(remaining > 0 ? [`${counted(remaining, 'more entity', 'more entities')} can be added on its Jobs tab.`] : []),
  ].join(' ');
}
