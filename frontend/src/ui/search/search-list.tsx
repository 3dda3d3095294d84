import { IconHistory } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { cx } from '../class-names.ts';
import { GuideLink } from '../guide-link.tsx';
import { LinkButton } from '../link-button.tsx';
import optionStyles from '../options.module.css';
import styles from './search-box.module.css';
import { typedProblems } from './search-marks.ts';
import type { SearchLanguage } from './search-language.ts';
import type { SearchChoice } from './use-search-choices.ts';

interface SearchListProps {
  readonly language: SearchLanguage;
  /** Start of the ids of the list and its options. */
  readonly id: string;
  readonly text: string;
  readonly caret: number;
  readonly choices: readonly SearchChoice[];
  /** The choice that Enter takes; −1 for none. */
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly onTake: (choice: SearchChoice) => void;
  readonly onForget: () => void;
  /** What the text is typed into. */
  readonly field: RefObject<HTMLInputElement | null>;
}

/** The choices under the caret, what is wrong with what was typed, and how to write a search. */
export function SearchList({ language, id, text, caret, choices, at, onAt, onTake, onForget, field }: SearchListProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState(0);
  const before = text.slice(0, choices[0]?.start ?? 0);
  useLayoutEffect(() => {
    const [list, input] = [popup.current, field.current];
    const room = (list?.parentElement?.clientWidth ?? 0) - (list?.offsetWidth ?? 0);
    if (input) setLeft(Math.max(0, Math.min(placeAfter(before, input), room)));
  }, [before, field]);
  useLayoutEffect(() => {
    document.querySelector(`#${CSS.escape(`${id}-${at}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const problems = typedProblems(language.parse(text), caret);
  const hasRecent = choices[0]?.kind === 'recent';
  return (
    <div ref={popup} className={styles.popup} style={{ left }}>
      <div role="listbox" id={`${id}-list`} aria-label="Suggestions" className={cx(optionStyles.list, styles.list)}>
        {choices.map((choice, place) => (
          <div
            key={`${choice.kind} ${choice.insert}`}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={cx(optionStyles.option, place === at && optionStyles.current)}
            onPointerMove={() => onAt(place)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onTake(choice)}
            onKeyDown={(event) => event.key === 'Enter' && onTake(choice)}
          >
            {choice.kind === 'recent' && <IconHistory size={14} stroke={1.75} aria-hidden="true" className="faint" />}
            <span className={cx(styles.label, 'cut')}>{choice.label}</span>
            {choice.detail !== '' && <span className={cx(optionStyles.detail, 'cut')}>{choice.detail}</span>}
          </div>
        ))}
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems} role="status">
          {problems.map(({ term, reason }) => (
            <li key={`${term} ${reason}`}>
              <code>{term}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.help}>
        <span>
          {language.signs.map(([sign, meaning]) => (
            <span key={sign}>
              <code>{sign}</code> {meaning}
            </span>
          ))}
        </span>
        {hasRecent && <LinkButton onClick={onForget}>Forget recent</LinkButton>}
        <GuideLink chapter={language.chapter} />
      </p>
    </div>
  );
}

let canvas: CanvasRenderingContext2D | null = null;

/** Where a text ends that starts the field, in pixels from the left of the box. */
function placeAfter(text: string, field: HTMLInputElement): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  const { font, wordSpacing } = getComputedStyle(field);
  if (canvas) Object.assign(canvas, { font, wordSpacing });
  return (field.parentElement?.offsetLeft ?? 0) - field.scrollLeft + (canvas?.measureText(text).width ?? 0);
}
