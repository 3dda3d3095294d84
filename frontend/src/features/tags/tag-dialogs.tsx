import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { operations, OutputOf } from '@svc/contracts';
import { tagLimits, tagName, type TagColor } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { tagsQuery } from '../../api/queries.ts';
import { tagDeeds, useTagDeed, type ManagedTag } from '../../api/tags.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { TagColors } from '../../ui/tag-colors.tsx';
import styles from './tags-page.module.css';

/** From here on the name is typed out before a tag goes for good. */
const MASS = 10;

type Moved = OutputOf<typeof operations.renameTag>;

interface DialogProps {
  readonly onClose: () => void;
  /** What it came to, in a sentence. */
  readonly onDone: (said: string) => void;
}

/** A tag that nothing carries yet. */
export function CreateTag({ onClose, onDone }: DialogProps) {
  const [color, setColor] = useState<TagColor>('blue');
  const create = useTagDeed(tagDeeds.create, ({ created, existing }) =>
    onDone(created.length > 0 ? `Made “${created[0]}”` : `There is “${existing[0]}” already`),
  );
  return (
    <Dialog title="New tag" onClose={onClose}>
      <Form
        error={create.error}
        onSubmit={(form) =>
          create.mutate({ name: fieldText(form, 'name'), color, description: fieldText(form, 'description') })
        }
        actions={<DialogButtons words="Make tag" pending={create.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Name"
          name="name"
          description="A slash parts a namespace from the rest: actor/apt28"
          required
          withAsterisk={false}
          maxLength={tagLimits.length}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="What it says (optional)"
          name="description"
          maxLength={tagLimits.description}
          autoComplete="off"
        />
        <TagColors value={color} onChange={setColor} />
      </Form>
    </Dialog>
  );
}

/** Another name, everywhere. */
export function RenameTag({ tag, onClose, onDone }: DialogProps & { tag: ManagedTag }) {
  const [text, setText] = useState(tag.tag);
  const name = tagName(text);
  const isKnown = useKnown(name).some((other) => other === name) && name !== tag.tag;
  const rename = useTagDeed(
    () => tagDeeds.rename(tag.tag, name),
    (moved) => onDone(movedWords(tag.tag, moved)),
  );
  return (
    <Dialog title={`Rename “${tag.tag}”`} onClose={onClose}>
      <p className="soft">
        {carriers(tag)} takes the new name, and so do your saved searches and rules that name it.{' '}
        {tag.maintained_by.length > 0 && `The shared ${givers(tag)} “${tag.tag}” again.`}
      </p>
      <Form
        error={rename.error}
        onSubmit={() => rename.mutate(undefined)}
        actions={
          <DialogButtons
            words={isKnown ? `Merge into “${name}”` : 'Rename'}
            pending={rename.isPending}
            disabled={name === '' || name === tag.tag}
            onClose={onClose}
          />
        }
      >
        <TextInput
          label="New name"
          value={text}
          maxLength={tagLimits.length}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {isKnown && (
          <p className={styles.warning}>There is “{name}” already: the two become one. This cannot be undone.</p>
        )}
      </Form>
    </Dialog>
  );
}

/** One of two tags stays. */
export function MergeTag({ tag, onClose, onDone }: DialogProps & { tag: ManagedTag }) {
  const id = useId();
  const [text, setText] = useState('');
  const into = tagName(text);
  const others = useKnown(into).filter((name) => name !== tag.tag);
  const merge = useTagDeed(
    () => tagDeeds.merge(tag.tag, into),
    (moved) => onDone(movedWords(tag.tag, moved)),
  );
  return (
    <Dialog title={`Merge “${tag.tag}” into another tag`} onClose={onClose}>
      <p className="soft">
        {carriers(tag)} takes the other tag, as do your saved searches and rules that name it, and “{tag.tag}” goes.
        This cannot be undone.
      </p>
      <Form
        error={merge.error}
        onSubmit={() => merge.mutate(undefined)}
        actions={
          <DialogButtons words="Merge" pending={merge.isPending} disabled={!others.includes(into)} onClose={onClose} />
        }
      >
        <TextInput
          label="The tag that stays"
          value={text}
          list={`${id}-tags`}
          maxLength={tagLimits.length}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <datalist id={`${id}-tags`}>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      </Form>
    </Dialog>
  );
}

/** Asks before a tag goes from everything for good; one that much carries has to be typed out. */
export function DeleteTag({ tag, onClose, onDone }: DialogProps & { tag: ManagedTag }) {
  const [typed, setTyped] = useState('');
  const remove = useTagDeed(
    () => tagDeeds.delete(tag.tag),
    ({ removed }) => onDone(`Deleted “${tag.tag}”, which ${counted(removed, 'thing')} carried`),
  );
  const isMass = tag.count + tag.job_count >= MASS;
  return (
    <Dialog title={`Delete “${tag.tag}”?`} onClose={onClose}>
      <p className="soft">{carriers(tag)} loses it, and searches for it find nothing. This cannot be undone.</p>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate(undefined)}
        actions={
          <DialogButtons
            words="Delete tag"
            pending={remove.isPending}
            disabled={isMass && tagName(typed) !== tag.tag}
            onClose={onClose}
            dangerous
          />
        }
      >
        {isMass && (
          <TextInput
            label={`To go on, type “${tag.tag}”`}
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** What carries a tag, to begin a sentence. */
function carriers({ count: entities, job_count: jobs }: ManagedTag): string {
  const parts = [
    ...(entities > 0 ? [counted(entities, 'entity', 'entities')] : []),
    ...(jobs > 0 ? [counted(jobs, 'job')] : []),
  ];
  return parts.length === 0 ? 'Whatever carries it' : `Whatever carries it (${parts.join(', ')})`;
}

/** Which shared rules give a tag, within a sentence. */
function givers({ maintained_by: rules }: ManagedTag): string {
  return `${rules.length === 1 ? 'rule' : 'rules'} ${rules.map((rule) => `“${rule}”`).join(', ')} ${rules.length === 1 ? 'gives' : 'give'}`;
}

/** Names of tags that this text is part of. */
function useKnown(name: string): readonly string[] {
  const { data = [] } = useQuery({ ...tagsQuery(name), enabled: name !== '' });
  return data.map(({ tag }) => tag);
}

function movedWords(from: string, { tag, merged, moved, updated, references }: Moved): string {
  const deed = merged
    ? `Merged “${from}” into “${tag}”, which ${counted(moved, 'thing')} more carry now`
    : `Renamed “${from}” to “${tag}”`;
  const own =
    updated > 0 ? ` ${counted(updated, 'saved search or rule', 'saved searches and rules')} of yours changed.` : '';
  const others = references
    .map(({ name, owner }) => (owner === null ? `the shared rule “${name}”` : `“${name}” of ${owner}`))
    .join(', ');
  return `${deed}.${own}${others === '' ? '' : ` Still by the old name: ${others}.`}`;
}
