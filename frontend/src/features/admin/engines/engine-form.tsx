import { TextInput } from '@mantine/core';
import type { AdminEngine } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeEngine } from '../../../api/engines.ts';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldText } from '../../../ui/form-fields.ts';
import { Form } from '../../../ui/form.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { placeOf } from './engine-texts.ts';

type Kind = 'found' | NonNullable<AdminEngine['program']>['kind'];
type Changed = Parameters<typeof changeEngine>[0];

const kinds: readonly (readonly [Kind, string])[] = [
  ['found', 'On the PATH'],
  ['path', 'Program'],
  ['image', 'Image'],
  ['dockerfile', 'Dockerfile'],
];
const asked: Readonly<Record<Exclude<Kind, 'found'>, readonly [label: string, about: string]>> = {
  path: ['Path of the program', 'The same on every worker of the heavy lane.'],
  image: ['Name of the image', 'With a digest, as name@sha256:…, it is the same one every time.'],
  dockerfile: ['Path of the Dockerfile', 'Workers build it when it is first needed, in its own folder.'],
};

/** Where an engine is, for tasks of workflows that do not say. */
export function EngineForm({ engine, onClose }: { engine: AdminEngine; onClose: () => void }) {
  const { name, title, program } = engine;
  const [kind, setKind] = useState<Kind>(program?.kind ?? 'found');
  const save = useMutation({
    mutationFn: (place: string) => changeEngine({ name: name as Changed['name'], program: programOf(kind, place) }),
    onSuccess: onClose,
  });
  return (
    <Dialog title={`Where ${title} is`} onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(form) => save.mutate(fieldText(form, 'place'))}
        actions={<DialogButtons words="Save" pending={save.isPending} onClose={onClose} />}
      >
        <Switcher label="How it is there" value={kind} options={kinds} onChange={setKind} />
        {kind === 'found' ? (
          <p className="soft">Workers look for the program under its own name on their PATH.</p>
        ) : (
          <TextInput
            key={kind}
            name="place"
            label={asked[kind][0]}
            description={asked[kind][1]}
            required
            maxLength={1024}
            defaultValue={program?.kind === kind ? placeOf(program) : ''}
          />
        )}
        <p className="soft">
          Whoever can change this chooses what workers run. What was found of the earlier one is forgotten.
        </p>
      </Form>
    </Dialog>
  );
}

function programOf(kind: Kind, place: string): Changed['program'] {
  switch (kind) {
    case 'found':
      return null;
    case 'path':
      return { kind, path: place };
    case 'image':
      return { kind, image: place };
    case 'dockerfile':
      return { kind, dockerfile: place };
  }
}
