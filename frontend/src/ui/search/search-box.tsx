import { ActionIcon } from '@mantine/core';
import type { QueryError } from '@svc/contracts';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { cx } from '../class-names.ts';
import { Kbd } from '../kbd.tsx';
import { useKeys } from '../use-keys.ts';
import styles from './search-box.module.css';
import { forgetSearches, rememberSearch } from './search-history.ts';
import type { SearchLanguage } from './search-language.ts';
import { SearchList } from './search-list.tsx';
import { searchMarks } from './search-marks.ts';
import { useSearchChoices, type SearchChoice } from './use-search-choices.ts';

interface SearchBoxProps {
  readonly language: SearchLanguage;
  /** The search in force. */
  readonly value: string;
  /** What of it matches nothing, as the service says. */
  readonly refused: readonly QueryError[];
  readonly onSearch: (search: string) => void;
}

/** Where something is searched for: terms look like chips, unusable ones are underlined, choices come under the caret. */
export function SearchBox({ language, value, refused, onSearch }: SearchBoxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [{ text, from }, setText] = useState({ text: value, from: value });
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const [scroll, setScroll] = useState(0);
  // Going back and forth brings other searches, which take the place of what is typed.
  if (from !== value) setText({ text: value, from: value });
  const choices = useSearchChoices(language, { text, caret, isOpen });
  // By name, since the list changes while answers arrive.
  const at = choices.findIndex(({ insert }) => insert === picked);
  useKeys({ '/': () => input.current?.focus() });

  const read = () => {
    const { value: typed = '', selectionStart, scrollLeft = 0 } = input.current ?? {};
    setText({ text: typed, from: value });
    setCaret(selectionStart ?? typed.length);
    setScroll(scrollLeft);
    setPicked(null);
  };
  const search = (wanted: string) => {
    const trimmed = wanted.trim();
    if (trimmed !== '') rememberSearch(language.kept, trimmed);
    setText({ text: trimmed, from: value });
    setOpen(false);
    setPicked(null);
    onSearch(trimmed);
  };
  const take = (choice: SearchChoice) => {
    if (choice.kind === 'recent') return search(choice.insert);
    const { start, of } = choice;
    // It may have been made for less than what is typed by now: the term has grown at its end.
    const end = choice.end + text.length - of.length;
    if (end < start || text.slice(0, start) !== of.slice(0, start) || text.slice(end) !== of.slice(choice.end)) return;
    const isUnfinished = /[:(/]$/.test(choice.insert);
    const insert = isUnfinished || text[end] === ' ' ? choice.insert : `${choice.insert} `;
    input.current?.setRangeText(insert, start, end, 'end');
    input.current?.focus();
    setOpen(true);
    read();
  };
  const onKey = (event: KeyboardEvent) => {
    const chosen = choices[at];
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      setOpen(true);
      // Before the first and after the last there is a place for none of them.
      const places = choices.length + 1;
      setPicked(choices[((at + 1 + by + places) % places) - 1]?.insert ?? null);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (isOpen && chosen) take(chosen);
      else search(text);
    } else if (event.key === 'Tab' && isOpen && chosen) take(chosen);
    else if (event.key === 'Escape' && isOpen) setOpen(false);
    else if (event.key === 'Escape' && text !== value) setText({ text: value, from: value });
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  // What the caret is in is still being typed, unless it is searched for already.
  const isDone = (start: number, length: number) => text === value || caret < start || caret > start + length;
  const isListed = isOpen && choices.length > 0;
  return (
    <search className={styles.box} onBlur={onBlur}>
      <IconSearch size={16} stroke={1.75} aria-hidden="true" className={styles.icon} />
      <div className={styles.field}>
        <div className={styles.marks} aria-hidden="true" style={{ translate: -scroll }}>
          {searchMarks(language.parse(text), text, text === value ? refused : []).map(
            ({ text: piece, start, kind, problem }) => (
              <span
                key={start}
                className={cx(styles[kind], problem !== null && isDone(start, piece.length) && styles.bad)}
                data-hint={problem ?? undefined}
              >
                {piece}
              </span>
            ),
          )}
        </div>
        <input
          ref={input}
          className={styles.input}
          value={text}
          placeholder={language.placeholder}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="search"
          maxLength={2000}
          role="combobox"
          aria-label={language.label}
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListed && at >= 0 ? `${id}-${at}` : undefined}
          aria-keyshortcuts="/"
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={() => {
            setOpen(true);
            read();
          }}
          onSelect={read}
          onScroll={({ currentTarget }) => setScroll(currentTarget.scrollLeft)}
          onKeyDown={onKey}
        />
      </div>
      {text === '' ? (
        <Kbd keys={['/']} />
      ) : (
        <ActionIcon size={24} aria-label="Clear the search" onClick={() => search('')}>
          <IconX size={14} stroke={2} />
        </ActionIcon>
      )}
      {isOpen && (
        <SearchList
          language={language}
          id={id}
          choices={choices}
          at={at}
          onAt={(place) => setPicked(choices[place]?.insert ?? null)}
          onTake={take}
          text={text}
          caret={caret}
          onForget={() => {
            forgetSearches(language.kept);
            setOpen(false);
          }}
          field={input}
        />
      )}
    </search>
  );
}
