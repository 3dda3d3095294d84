import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch, Textarea, TextInput } from '@mantine/core';
import { operations } from '@svc/contracts';
import { caseLimits, caseNameLength } from '@svc/domain';
import { useState } from 'react';
import { useCaseDeed } from '../../api/cases.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { OptionField } from '../../ui/option-field.tsx';
import { severityChoices } from './severity-choices.ts';

interface NewCaseProps {
  readonly onClose: () => void;
  readonly onOpened: (caseId: number) => void;
}

/** Opens a case. */
export function NewCase({ onClose, onOpened }: NewCaseProps) {
  const [severity, setSeverity] = useState('');
  const open = useCaseDeed(operations.openCase);
  return (
    <Dialog title="New case" onClose={onClose}>
      <Form
        error={open.error}
        onSubmit={(form) =>
          open.mutate(
            {
              name: fieldText(form, 'name'),
              summary: fieldText(form, 'summary'),
              severity: severity as '',
              is_shared: form.has('is_shared'),
            },
            { onSuccess: ({ case_id: caseId }) => onOpened(caseId) },
          )
        }
        actions={<DialogButtons words="Open case" pending={open.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Name"
          name="name"
          placeholder="What is investigated, such as a host or a campaign"
          required
          withAsterisk={false}
          maxLength={caseNameLength}
          autoComplete="off"
          data-autofocus
        />
        <Textarea label="Summary" name="summary" autosize minRows={2} maxRows={8} maxLength={caseLimits.summary} />
        <OptionField label="Severity" value={severity} options={severityChoices} onChange={setSeverity} />
        <Switch
          size="xs"
          name="is_shared"
          label="Shared with all members"
          description="Otherwise only you, those you name on it and administrators see it. Private jobs in it stay private."
        />
      </Form>
    </Dialog>
  );
}
