import { tagColors, type TagColor } from '@svc/domain';
import { sentence } from '../../ui/format.ts';
import { TagDot } from '../../ui/tag.tsx';
import styles from './tag-colors.module.css';

/** The colours that a tag can have, one of which is chosen. */
export function TagColors({ value, onChange }: { value: TagColor | null; onChange: (color: TagColor) => void }) {
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
