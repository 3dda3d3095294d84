import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { tagLimits, tagName, tagNames } from '@svc/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../../api/queries.ts';
import { cx } from '../../ui/class-names.ts';
import { counted } from '../../ui/format.ts';
import { TagDot } from '../../ui/tag.tsx';
import fieldStyles from '../../ui/option-field.module.css';
import styles from './tags-field.module.css';

interface TagsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}

/** Names of tags, with those that are in use offered. */
export function TagsField({ value, onChange }: TagsFieldProps) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(tagName(text), 150);
  const { data = [] } = useQuery({ ...tagsQuery(asked), placeholderData: keepPreviousData });
  const known = new Map(data.map((tag) => [tag.tag, tag] as const));
  const isFull = value.length >= tagLimits.count;
  return (
    <TagsInput
      label="Tags"
      size="xs"
      className={cx(fieldStyles.field, styles.names)}
      classNames={{ dropdown: styles.dropdown ?? '', option: styles.option ?? '' }}
      placeholder={value.length === 0 ? 'Add tags' : ''}
      value={[...value]}
      data={[...known.keys()]}
      // The service has chosen already.
      filter={({ options }) => options.filter((option) => 'value' in option && !value.includes(option.value))}
      searchValue={text}
      onSearchChange={setText}
      onChange={(names) => onChange(tagNames(names).slice(0, tagLimits.count))}
      maxTags={tagLimits.count}
      maxLength={tagLimits.length}
      acceptValueOnBlur
      error={isFull ? `At most ${tagLimits.count} tags` : undefined}
      renderOption={({ option }) => {
        const tag = known.get(option.value);
        return (
          <>
            <TagDot color={tag?.color ?? 'gray'} />
            <span className="cut">{option.value}</span>
            <span className={styles.count}>{counted(tag?.count ?? 0, 'job')}</span>
          </>
        );
      }}
    />
  );
}
