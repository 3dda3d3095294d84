import '@mantine/core/styles/Input.layer.css';
import { Button, Textarea } from '@mantine/core';
import type { FindingReview } from '@svc/contracts';
import { reviewLimits, reviewStates } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reviewersQuery, type Decision } from '../../../api/reviews.ts';
import { useReport } from '../../../api/report-source.ts';
import { Choice } from '../../../ui/choice.tsx';
import { FlagField } from '../../../ui/option-field.tsx';
import { reasonOf } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './review-bar.module.css';
import { stateNames, useReviewsHere } from './review-states.tsx';

const states = reviewStates.map((state) => [state, stateNames[state]] as const);

/** What was decided about a finding: for members to change, for others to read. */
export function ReviewBar({ findingId }: { findingId: number }) {
  const { of, decide, error } = useReviewsHere();
  const review = of.get(findingId);
  if (decide === null && review === undefined) return null;
  return (
    <section className={styles.bar} aria-label="Review">
      {decide ? (
        <Deciding
          review={review}
          decide={(decision) => decide({ remember: false, ...decision, finding_ids: [findingId] })}
        />
      ) : (
        review && <Told review={review} />
      )}
      {review && review.state !== 'new' && review.by && <Who review={review} />}
      {error && (
        <p role="alert" className={styles.bad}>
          {reasonOf(error)}
        </p>
      )}
    </section>
  );
}

interface DecidingProps {
  readonly review: FindingReview | undefined;
  readonly decide: (decision: Partial<Omit<Decision, 'finding_ids'>>) => void;
}

function Deciding({ review, decide }: DecidingProps) {
  const { state = 'new', note = '', remembered = false } = review ?? {};
  return (
    <>
      <div className={styles.line}>
        <Switcher
          label="Review of this finding"
          value={state}
          options={states}
          onChange={(next) => decide({ state: next, remember: remembered && next !== 'new' })}
        />
        <Assignee review={review} decide={decide} />
        {state !== 'new' && (
          <FlagField
            label="Remember"
            hint={'The same for this rule on these hosts\nin logs that you submit from now on'}
            checked={remembered}
            onChange={(remember) => decide({ state, remember })}
          />
        )}
      </div>
      <Note key={note} note={note} decide={decide} />
    </>
  );
}

function Assignee({ review, decide }: DecidingProps) {
  const { jobId } = useReport();
  const { data: reviewers = [] } = useQuery({ ...reviewersQuery(jobId ?? 0), enabled: jobId !== null });
  const assignee = review?.assignee;
  const known = assignee && !reviewers.some(({ id }) => id === assignee.id) ? [assignee, ...reviewers] : reviewers;
  return (
    <Choice
      label="Assigned to"
      value={assignee?.id ?? ''}
      options={[['', 'Nobody assigned'], ...known.map(({ id, name }) => [id, name] as const)]}
      onChange={(id) => decide({ assignee: id === '' ? null : id })}
    />
  );
}

function Note({ note, decide }: Pick<DecidingProps, 'decide'> & { readonly note: string }) {
  const [text, setText] = useState(note);
  const isChanged = text.trim() !== note;
  return (
    <form
      className={styles.note}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) decide({ note: text.trim() });
      }}
    >
      <Textarea
        aria-label="Note on this finding"
        placeholder="Note for whoever reads this report"
        size="xs"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={reviewLimits.note}
        className={styles.text ?? ''}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {isChanged && (
        <Button type="submit" size="xs" variant="default">
          Save note
        </Button>
      )}
    </form>
  );
}

function Told({ review }: { review: FindingReview }) {
  return (
    <p className={styles.line}>
      <strong>{stateNames[review.state]}</strong>
      {review.assignee && <span>Assigned to {review.assignee.name}</span>}
      {review.note !== '' && <span className={styles.written}>{review.note}</span>}
    </p>
  );
}

function Who({ review }: { review: FindingReview }) {
  return (
    <p className={styles.who}>
      {review.from_earlier
        ? `${stateNames[review.state]}, remembered from an earlier review by ${review.by?.name}`
        : `${stateNames[review.state]} by ${review.by?.name}`}
      , <Time iso={review.at} zone />
    </p>
  );
}
