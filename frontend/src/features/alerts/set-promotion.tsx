import '@mantine/core/styles/Input.layer.css';
import { Button, TextInput } from '@mantine/core';
import type { AlertRule } from '@svc/contracts';
import { parseEntitySearch, ruleListLimits } from '@svc/domain';
import { useState } from 'react';
import { ruleDeeds, useRuleDeed } from '../../api/alert-rules.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';

interface SetPromotionProps {
  readonly id: number;
  readonly onPromoted: (rule: AlertRule) => void;
}

/** Whether a condition asks for just one set of values, which can become a list. */
export function hasSet(query: string): boolean {
  return parseEntitySearch(query).terms.filter(({ key }) => key === 'in').length === 1;
}

/** Makes a list of the set of a rule as it is saved, which asks for the list from then on. */
export function SetPromotion(props: SetPromotionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="default" onClick={() => setOpen(true)}>
        Make a list of the set
      </Button>
      {isOpen && <PromotionDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}

function PromotionDialog({ id, onPromoted, onClose }: SetPromotionProps & { readonly onClose: () => void }) {
  const promote = useRuleDeed(ruleDeeds.promoteSet, {
    after: ({ rule }) => {
      onClose();
      onPromoted(rule);
    },
  });
  return (
    <Dialog title="Make a list of the set" onClose={onClose}>
      <Form
        error={promote.error}
        onSubmit={(form) =>
          promote.mutate({ id, name: fieldText(form, 'name').trim(), description: fieldText(form, 'description') })
        }
        actions={<DialogButtons words="Make list" pending={promote.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Name"
          name="name"
          description="What conditions call it: a-z, 0-9 and _"
          maxLength={ruleListLimits.name}
          pattern="[a-z0-9_]+"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="What it is for (optional)"
          name="description"
          maxLength={ruleListLimits.description}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
