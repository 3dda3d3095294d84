import '@mantine/core/styles/Input.layer.css';
import { TextInput } from '@mantine/core';
import { call, operations, type RulePack } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { importPackFile, importPackUrl, refreshPacks } from '../../../api/rule-packs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldText } from '../../../ui/form-fields.ts';
import { Form } from '../../../ui/form.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import styles from './rule-packs.module.css';

/** A pack from a file or an address; all of it is taken or nothing, and a refusal says why. */
export function ImportPack({ onClose }: { onClose: () => void }) {
  const [from, setFrom] = useState<'file' | 'address'>('file');
  const take = useMutation({
    mutationFn: (form: FormData) => {
      const name = fieldText(form, 'name').trim() || undefined;
      const file = form.get('archive');
      return file instanceof File ? importPackFile(file, name) : importPackUrl(fieldText(form, 'url').trim(), name);
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Import a rule pack" held={take.isPending} onClose={onClose}>
      <Form
        error={take.error}
        onSubmit={take.mutate}
        actions={<DialogButtons words="Import" pending={take.isPending} onClose={onClose} />}
      >
        <Switcher
          label="From"
          value={from}
          options={[
            ['file', 'A file'],
            ['address', 'An address'],
          ]}
          onChange={setFrom}
        />
        {from === 'file' ? (
          <label className={styles.file}>
            Zip archive or gzipped tar
            <input type="file" name="archive" required accept=".zip,.gz,.tgz" />
          </label>
        ) : (
          <TextInput
            label="Address, looked at again for newer versions"
            name="url"
            type="url"
            required
            withAsterisk={false}
            placeholder="https://…/sigma_core.zip"
          />
        )}
        <TextInput label="Name (optional)" name="name" autoComplete="off" placeholder="as the file is called" />
      </Form>
    </Dialog>
  );
}

/** Asks before a pack is removed. */
export function DeletePack({ pack: { name }, onClose }: { pack: RulePack; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => call(operations.deleteRulePack, { name }),
    onSuccess: async () => {
      await refreshPacks();
      onClose();
    },
  });
  return (
    <Dialog title={`Remove ${name}`} onClose={onClose}>
      <p className="soft">
        Its versions and what was decided about its rules are removed. Reports that were made with it stay as they are.
      </p>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={<DialogButtons words="Remove" dangerous pending={remove.isPending} onClose={onClose} />}
      >
        {null}
      </Form>
    </Dialog>
  );
}
