import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Tag } from '@svc/contracts';
import { tagLimits, tagName, type TagColor } from '@svc/domain';
import { IconCheck, IconMinus, IconTag, IconTagOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { tagsQuery } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import optionStyles from '../../ui/options.module.css';
import { Popup } from '../../ui/popup.tsx';
import { TagDot } from '../../ui/tag.tsx';
import { TagColors } from '../../ui/tag-colors.tsx';
import styles from './tag-picker.module.css';
import { hasTag } from '../../api/tagging.ts';

interface Carrier {
  readonly tags: readonly Tag[];
}

interface TagPickerProps {
  /** What is chosen, as far as its tags are known: the list marks those. */
  readonly carriers: readonly Carrier[];
  /** Offers none but those that there are. */
  readonly isKnownOnly?: boolean;
  readonly onPick: (tag: Tag) => void;
}

export interface TagPickerButtonProps extends TagPickerProps {
  /** Of the button. @default Tag */
  readonly words?: string;
  readonly shortcut?: string;
  /** Whether it is off, and why. */
  readonly limit: { readonly disabled: boolean; readonly 'data-hint'?: string };
  readonly opened: boolean;
  readonly onOpen: (opened: boolean) => void;
}

/** The vocabulary, to give and to take tags; opens over its button. */
export function TagPicker(props: TagPickerButtonProps) {
  const { words = 'Tag', shortcut, limit, opened, onOpen, ...rest } = props;
  const Sign = rest.isKnownOnly ? IconTagOff : IconTag;
  return (
    <Popup
      label="Tags to choose from"
      position="top-start"
      width={312}
      opened={opened}
      onChange={onOpen}
      button={
        <Button
          variant="default"
          leftSection={<Sign size={14} stroke={1.75} />}
          {...(shortcut !== undefined && { 'aria-keyshortcuts': shortcut })}
          {...limit}
          onClick={() => onOpen(!opened)}
        >
          {words}
        </Button>
      }
    >
      <Picker {...rest} />
    </Popup>
  );
}

function Picker({ carriers, isKnownOnly = false, onPick }: TagPickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [color, setColor] = useState<TagColor>('blue');
  const name = tagName(text);
  const [asked] = useDebouncedValue(name, 120);
  const { data: known } = useQuery({ ...tagsQuery(asked), placeholderData: keepPreviousData });
  const found = (known ?? []).filter(({ tag }) => tag.includes(name));
  const isNew = !isKnownOnly && name !== '' && known !== undefined && !found.some(({ tag }) => tag === name);
  const options: readonly Tag[] = isNew ? [...found, { tag: name, color }] : found;
  const current = Math.min(at, options.length - 1);
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const picked = options[current];
    if (by !== 0 && options.length > 0) setAt((current + by + options.length) % options.length);
    else if (event.key === 'Enter' && picked) onPick(picked);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        data-autofocus
        className={styles.input}
        role="combobox"
        aria-label="Tag"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
        placeholder={isKnownOnly ? 'Find a tag' : 'Find or create a tag'}
        maxLength={tagLimits.length}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label="Tags"
        aria-multiselectable="true"
        className={cx(optionStyles.list, styles.list)}
      >
        {options.map((tag, place) => (
          <div
            key={tag.tag}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={carriers.some((carrier) => hasTag(carrier, tag))}
            className={cx(optionStyles.option, place === current && optionStyles.current)}
            onPointerMove={() => setAt(place)}
            onClick={() => onPick(tag)}
            onKeyDown={onKey}
          >
            <Choice tag={tag} carriers={carriers} isNew={isNew && place === options.length - 1} />
          </div>
        ))}
      </div>
      {options.length === 0 && known && (
        <p className={styles.none}>
          {isKnownOnly ? 'There is no such tag.' : 'No tags yet. Type a name to make the first.'}
        </p>
      )}
      {isNew && (
        <div className={styles.colors}>
          <TagColors value={color} onChange={setColor} />
        </div>
      )}
    </>
  );
}

function Choice({ tag, carriers, isNew }: { tag: Tag; carriers: readonly Carrier[]; isNew: boolean }) {
  const having = carriers.filter((carrier) => hasTag(carrier, tag)).length;
  const Mark = having === 0 ? null : having === carriers.length ? IconCheck : IconMinus;
  return (
    <>
      <span className={styles.check}>{Mark && <Mark size={14} aria-hidden="true" />}</span>
      {Mark && <span className="sr-only">{having === carriers.length ? 'On all:' : `On ${having}:`}</span>}
      <TagDot color={tag.color} />
      <span className="cut">{isNew ? `Create “${tag.tag}”` : tag.tag}</span>
      {'count' in tag && <span className={optionStyles.detail}>{String(tag.count)}</span>}
    </>
  );
}
