import '@mantine/core/styles/Input.layer.css';
import { Textarea } from '@mantine/core';
import type { AlertRule, Problem } from '@svc/contracts';
import { alertRuleLimits } from '@svc/domain';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../../ui/class-names.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import options from '../../ui/options.module.css';
import { useSearchChoices, type SearchChoice } from '../../ui/search/use-search-choices.ts';
import { ruleLanguages } from './rule-languages.ts';
import styles from './rules.module.css';

interface ConditionFieldProps {
  readonly scope: AlertRule['scope'];
  readonly value: string;
  readonly isReadOnly: boolean;
  /** What is wrong with it, as the service says. */
  readonly problems: NonNullable<Problem['errors']>;
  readonly onChange: (value: string) => void;
}

/** Where a condition is written, in several lines if wanted; what completes the term under the caret comes below it. */
export function ConditionField({ scope, value, isReadOnly, problems, onChange }: ConditionFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const language = ruleLanguages[scope];
  // A line ends where a blank would; places stay.
  const text = value.replaceAll('\n', ' ');
  const choices = useSearchChoices(language, { text, caret, isOpen: isOpen && !isReadOnly }).filter(
    ({ kind }) => kind === 'suggestion',
  );
  const at = choices.findIndex(({ insert }) => insert === picked);
  const isListed = isOpen && choices.length > 0;

  const take = (choice: SearchChoice) => {
    const { start, of } = choice;
    const end = choice.end + text.length - of.length;
    if (end < start || text.slice(0, start) !== of.slice(0, start) || text.slice(end) !== of.slice(choice.end)) return;
    const insert = /[:(/]$/.test(choice.insert) || text[end] === ' ' ? choice.insert : `${choice.insert} `;
    field.current?.setRangeText(insert, start, end, 'end');
    field.current?.focus();
    setPicked(null);
    setCaret(start + insert.length);
    onChange(field.current?.value ?? value);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = choices[at];
    if (by !== 0 && isListed) {
      const places = choices.length + 1;
      setPicked(choices[((at + 1 + by + places) % places) - 1]?.insert ?? null);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isListed && chosen) take(chosen);
    else if (event.key === 'Escape' && isListed) {
      setOpen(false);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  return (
    <div
      className={styles.condition}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Textarea
        ref={field}
        label="Condition"
        description={
          <>
            All terms must hold; lines end where you like. <GuideLink chapter={language.chapter} />
          </>
        }
        classNames={{ input: styles.mono ?? '' }}
        value={value}
        rows={3}
        maxLength={alertRuleLimits.query}
        placeholder={language.placeholder}
        spellCheck={false}
        autoComplete="off"
        readOnly={isReadOnly}
        aria-autocomplete="list"
        aria-controls={isListed ? `${id}-list` : undefined}
        aria-activedescendant={isListed && at >= 0 ? `${id}-${at}` : undefined}
        error={problems.length > 0}
        onChange={({ currentTarget }) => {
          setOpen(true);
          setPicked(null);
          setCaret(currentTarget.selectionStart);
          onChange(currentTarget.value);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKey}
      />
      {isListed && (
        <div role="listbox" id={`${id}-list`} aria-label="Suggestions" className={cx(options.list, styles.choices)}>
          {choices.map((choice, place) => (
            <div
              key={choice.insert}
              id={`${id}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              className={cx(options.option, place === at && options.current)}
              onPointerMove={() => setPicked(choice.insert)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
              onKeyDown={({ key }) => key === 'Enter' && take(choice)}
            >
              <span className="cut">{choice.label}</span>
              {choice.detail !== '' && <span className={cx(options.detail, 'cut')}>{choice.detail}</span>}
            </div>
          ))}
        </div>
      )}
      {problems.length > 0 && (
        <ul className={styles.problems} role="status">
          {problems.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
