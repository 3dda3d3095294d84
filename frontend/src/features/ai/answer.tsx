import type { AiFact } from '@svc/contracts';
import { memo, useLayoutEffect, useMemo, useRef, type MouseEvent } from 'react';
import { cx } from '../../ui/class-names.ts';
import markdown from '../../ui/markdown.module.css';
import { Plain } from '../../ui/plain.tsx';
import { renderUntrusted } from '../../ui/render-markdown.ts';
import styles from './ai-panel.module.css';
import { answerParts } from './answer-parts.ts';
import { factFinder, markFacts } from './mark-facts.ts';

interface AnswerProps {
  readonly text: string;
  /** None while it is written. */
  readonly facts: readonly AiFact[];
  /** Whether there is somewhere to go to from a value. */
  readonly leads: (fact: AiFact) => boolean;
  readonly onOpen: (fact: AiFact, from: HTMLElement) => void;
}

/** What a model wrote, of which nothing is trusted; its values are marked by whether the evidence has them. */
export function Answer({ text, facts, leads, onOpen }: AnswerProps) {
  const parts = useMemo(() => answerParts(text), [text]);
  const open = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-fact]') : null;
    const fact = facts[Number(button?.dataset['fact'])];
    if (button && fact) onOpen(fact, button);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- clicks of the buttons inside
    <div className={styles.answer} onClick={open}>
      {parts.map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts are only added at the end
        <Part key={place} text={part} facts={facts} leads={leads} />
      ))}
    </div>
  );
}

const Part = memo(function Part({ text, facts, leads }: Omit<AnswerProps, 'onOpen'>) {
  const body = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => {
    const rendered = renderUntrusted(text);
    if (rendered === null) return null;
    markFacts(rendered, factFinder(facts), (place, value) => element(facts[place]!, { place, value, leads }));
    return [...rendered.childNodes];
  }, [text, facts, leads]);
  useLayoutEffect(() => body.current?.replaceChildren(...(nodes ?? [])), [nodes]);
  return nodes === null ? <Plain text={text} /> : <div ref={body} className={markdown.markdown} />;
});

function element(
  fact: AiFact,
  { place, value, leads }: { place: number; value: string; leads: AnswerProps['leads'] },
): HTMLElement {
  if (!fact.in_evidence) {
    const mark = document.createElement('mark');
    mark.className = styles.missing ?? '';
    mark.dataset['hint'] = 'Not in evidence: the report does not show this value';
    const flag = document.createElement('span');
    flag.className = styles.flag ?? '';
    flag.textContent = ' not in evidence';
    mark.append(value, flag);
    return mark;
  }
  const known = document.createElement(leads(fact) ? 'button' : 'span');
  known.className = cx(styles.known);
  if (known instanceof HTMLButtonElement) {
    known.type = 'button';
    known.dataset['fact'] = String(place);
  }
  known.dataset['hint'] = 'In evidence';
  known.textContent = value;
  return known;
}
