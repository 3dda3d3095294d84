import { tagColors, type TagColor } from '@svc/domain';
import { useId } from 'react';
import { sentence } from './format.ts';
import { TagDot } from './tag.tsx';
import styles from './tag-colors.module.css';

interface TagColorsProps {
  readonly label?: string;
  readonly value: TagColor | null;
  readonly onChange: (color: TagColor) => void;
}

/** The colours that a tag can have, one of which is chosen. */
export function TagColors({ label = 'Colour', value, onChange }: TagColorsProps) {
  const name = useId();
  return (
    <fieldset className={styles.colors}>
      <legend>{label}</legend>
      {tagColors.map((color) => (
        <label key={color} className={styles.color} data-hint={sentence(color)}>
          <input
            type="radio"
            name={name}
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
