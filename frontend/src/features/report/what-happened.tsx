import type { Evidence, Sentence } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useReport, whatHappenedQuery } from '../../api/report-source.ts';
import { cx } from '../../ui/class-names.ts';
import { counted, moment } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ContentsList } from './log-contents.tsx';
import { changed, noFilters, type ViewChange } from './job-view.ts';
import styles from './what-happened.module.css';

/** What the findings come to: how it began, and all that is known when it is asked for; each part leads to its proof. */
export function WhatHappened() {
  const { data, isPending } = useQuery(whatHappenedQuery(useReport()));
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (isPending) return <section className={styles.told} aria-hidden="true" />;
  const [lead, ...others] = data?.sentences ?? [];
  if (!data || !lead) return null;
  const left = data.findings - data.told;
  return (
    <section className={styles.told} aria-label="What happened" data-open={isOpen || undefined}>
      <p className={cx(styles.lead, !isOpen && styles.short)}>
        <Parts sentence={lead} />
      </p>
      {(others.length > 0 || data.contents) && (
        <LinkButton
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : others.length > 0 ? `${others.length} more` : 'More'}
        </LinkButton>
      )}
      <div id={id} className={styles.others} hidden={!isOpen}>
        <ol className={styles.sentences}>
          {others.map((sentence) => (
            <li key={JSON.stringify(sentence.parts)}>
              <Parts sentence={sentence} />
            </li>
          ))}
        </ol>
        {data.contents && (
          <>
            <h3 className={styles.head}>What was in the log</h3>
            <ContentsList contents={data.contents} />
          </>
        )}
        <p className="faint">
          Said of {counted(data.told, 'finding')}
          {left > 0 && `; ${counted(left, 'finding')} below ${data.least} not told of`}. A rule that matched is a sign,
          not proof.
        </p>
      </div>
    </section>
  );
}

function Parts({ sentence: { parts } }: { sentence: Sentence }) {
  return parts.map(({ text, verbatim, to }, at) => {
    const words = verbatim ? <code className={styles.verbatim}>{text}</code> : text;
    // oxlint-disable-next-line react/no-array-index-key -- a place is what names a part
    if (to === null) return <span key={at}>{words}</span>;
    return (
      <Link
        // oxlint-disable-next-line react/no-array-index-key -- a place is what names a part
        key={at}
        to="."
        search={(before: object) => changed(before, viewOf(to))}
        replace
        resetScroll={false}
        className={styles.link}
      >
        {words}
      </Link>
    );
  });
}

/** Where in the report a part of a sentence leads. */
function viewOf(to: Evidence): ViewChange {
  const findings = { ...noFilters, view: undefined, finding: undefined };
  switch (to.kind) {
    case 'finding':
      return { ...findings, finding: to.finding, tab: undefined, at: to.at === null ? undefined : moment(to.at)?.at };
    case 'host':
      return { ...findings, host: to.host };
    case 'tactic':
      return { ...findings, tactic: to.tactic };
    case 'account':
      return { view: 'entities', find: to.account };
    case 'process':
      return { view: 'processes', find: to.process };
    default:
      return to satisfies never;
  }
}
