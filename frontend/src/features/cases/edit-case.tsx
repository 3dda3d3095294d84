import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Textarea, TextInput } from '@mantine/core';
import { operations, type CaseDetails } from '@svc/contracts';
import { caseLimits, caseNameLength } from '@svc/domain';
import { useState } from 'react';
import { useCaseDeed } from '../../api/cases.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { OptionField } from '../../ui/option-field.tsx';
import { severityChoices } from './severity-choices.ts';

/** Changes what a case is called and how bad it is held to be. */
export function EditCase({ of, onClose }: { of: CaseDetails; onClose: () => void }) {
  const [severity, setSeverity] = useState<string>(of.severity ?? '');
  const edit = useCaseDeed(operations.editCase);
  const save = (form: FormData) => {
    const said = { name: fieldText(form, 'name'), summary: fieldText(form, 'summary') };
    edit.mutate({ id: of.id, ...said, severity: severity as '' }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Change this case" onClose={onClose}>
      <Form
        error={edit.error}
        onSubmit={save}
        actions={<DialogButtons words="Save" pending={edit.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Name"
          name="name"
          defaultValue={of.name}
          required
          withAsterisk={false}
          maxLength={caseNameLength}
          autoComplete="off"
          data-autofocus
        />
        <Textarea
          label="Summary"
          name="summary"
          defaultValue={of.summary ?? ''}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={caseLimits.summary}
        />
        <OptionField label="Severity" value={severity} options={severityChoices} onChange={setSeverity} />
      </Form>
    </Dialog>
  );
}
