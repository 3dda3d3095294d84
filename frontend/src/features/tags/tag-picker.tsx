import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { JobRow, Tag } from '@svc/contracts';
import { tagColors, tagLimits, tagName, type TagColor } from '@svc/domain';
import { IconCheck, IconMinus, IconTag } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { tagsQuery } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import { sentence } from '../../ui/format.ts';
import optionStyles from '../../ui/options.module.css';
import { Popup } from '../../ui/popup.tsx';
import { TagDot } from '../../ui/tag.tsx';
import { mostJobs } from '../../api/job-limits.ts';
import { limited } from '../../ui/limited.ts';
import styles from './tag-picker.module.css';
import { hasTag } from '../../api/tagging.ts';

interface TagPickerProps {
  readonly jobs: readonly JobRow[];
  /** A tag was chosen: one that all have goes, any other comes. */
  readonly onPick: (tag: Tag) => void;
}

/** The tags of the chosen jobs, to give and to take; opens over its button. */
export function TagPicker(props: TagPickerProps & { opened: boolean; onOpen: (opened: boolean) => void }) {
  const { opened, onOpen, ...rest } = props;
  return (
    <Popup
      label="Tags of the chosen jobs"
      position="top-start"
      width={312}
      opened={opened}
      onChange={onOpen}
      button={
        <Button
          variant="default"
          leftSection={<IconTag size={14} stroke={1.75} />}
          aria-keyshortcuts="t"
          {...limited(rest.jobs.length, mostJobs.tags)}
          onClick={() => onOpen(!opened)}
        >
          Tag
        </Button>
      }
    >
      <Picker {...rest} />
    </Popup>
  );
}

function Picker({ jobs, onPick }: TagPickerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [color, setColor] = useState<TagColor>('blue');
  const name = tagName(text);
  const [asked] = useDebouncedValue(name, 120);
  const { data: known } = useQuery({ ...tagsQuery(asked), placeholderData: keepPreviousData });
  const found = (known ?? []).filter(({ tag }) => tag.includes(name));
  const isNew = name !== '' && known !== undefined && !found.some(({ tag }) => tag === name);
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
        placeholder="Find or create a tag"
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
            aria-selected={jobs.some((job) => hasTag(job, tag))}
            className={cx(optionStyles.option, place === current && optionStyles.current)}
            onPointerMove={() => setAt(place)}
            onClick={() => onPick(tag)}
            onKeyDown={onKey}
          >
            <Choice tag={tag} jobs={jobs} isNew={isNew && place === options.length - 1} />
          </div>
        ))}
      </div>
      {options.length === 0 && known && <p className={styles.none}>No tags yet. Type a name to make the first.</p>}
      {isNew && <Colors value={color} onChange={setColor} />}
    </>
  );
}

function Choice({ tag, jobs, isNew }: { tag: Tag; jobs: readonly JobRow[]; isNew: boolean }) {
  const having = jobs.filter((job) => hasTag(job, tag)).length;
  const Mark = having === 0 ? null : having === jobs.length ? IconCheck : IconMinus;
  return (
    <>
      <span className={styles.check}>{Mark && <Mark size={14} aria-hidden="true" />}</span>
      {Mark && <span className="sr-only">{having === jobs.length ? 'On all:' : `On ${having}:`}</span>}
      <TagDot color={tag.color} />
      <span className="cut">{isNew ? `Create “${tag.tag}”` : tag.tag}</span>
      {'count' in tag && <span className={optionStyles.detail}>{String(tag.count)}</span>}
    </>
  );
}

function Colors({ value, onChange }: { value: TagColor; onChange: (color: TagColor) => void }) {
  return (
    <fieldset className={styles.colors}>
      <legend>Colour</legend>
      {tagColors.map((color) => (
        <label key={color} className={styles.color} data-hint={sentence(color)}>
          <input
            type="radio"
            name="tag-color"
            aria-label={sentence(color)}
            checked={color === value}
            onChange={() => onChange(color)}
          />
          <TagDot color={color} />
        </label>
      ))}
    </fieldset>
  );
}
