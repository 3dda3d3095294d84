import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button, Switch, TextInput } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { casesQuery } from '../../api/queries.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { OptionField } from '../../ui/option-field.tsx';

interface CaseFieldProps {
  readonly value: number | null;
  readonly onChange: (caseId: number | null) => void;
}

/** The case that jobs are put in, which can be made here. */
export function CaseField({ value, onChange }: CaseFieldProps) {
  const [isNew, setNew] = useState(false);
  const { data = [] } = useQuery(casesQuery);
  const choose = (option: string) => {
    if (option === 'new') setNew(true);
    else onChange(option === '' ? null : Number(option));
  };
  return (
    <>
      <OptionField
        label="Case"
        value={value ?? ''}
        options={[
          ['', 'No case'],
          ...data.map(({ id, name, is_shared: shared }) => [id, shared ? `${name} (shared)` : name] as const),
          ['new', 'New case…'],
        ]}
        onChange={choose}
      />
      {isNew && <NewCase onClose={() => setNew(false)} onCreated={onChange} />}
    </>
  );
}

function NewCase({ onClose, onCreated }: { onClose: () => void; onCreated: (caseId: number) => void }) {
  const create = useMutation({
    mutationFn: (form: FormData) =>
      call(operations.createCase, { name: fieldText(form, 'name'), is_shared: form.has('is_shared') }),
    onSuccess: async ({ case_id: id }) => {
      await invalidate(queryKey(operations.listCases));
      onCreated(id);
      onClose();
    },
  });
  return (
    <Dialog title="New case" onClose={onClose}>
      <Form
        error={create.error}
        onSubmit={(form) => create.mutate(form)}
        actions={
          <>
            <Button type="submit" loading={create.isPending}>
              Create case
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </>
        }
      >
        <TextInput
          label="Name"
          name="name"
          placeholder="What is investigated, such as a host or a campaign"
          required
          withAsterisk={false}
          maxLength={200}
          autoComplete="off"
          data-autofocus
        />
        <Switch
          size="xs"
          name="is_shared"
          label="Shared with all members"
          description="Otherwise only you and administrators see it. Private jobs in it stay private."
        />
      </Form>
    </Dialog>
  );
}
