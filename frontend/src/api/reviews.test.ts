import { expect, it } from 'vitest';
import { decided } from './reviews.ts';

it('knows a decision before the service has answered', () => {
  const first = decided(undefined, { finding_ids: [1, 2], state: 'benign', remember: true });
  expect(first.reviews).toMatchObject([
    { finding_id: 1, state: 'benign', remembered: true },
    { finding_id: 2, state: 'benign' },
  ]);
  const noted = decided(first, { finding_ids: [1], note: 'a backup', remember: false });
  expect(noted.reviews.find((review) => review.finding_id === 1)).toMatchObject({
    state: 'benign',
    note: 'a backup',
    remembered: true,
  });
  expect(decided(noted, { finding_ids: [2], state: 'new', remember: false }).reviews).toMatchObject([
    { finding_id: 1, state: 'benign' },
    { finding_id: 2, state: 'new', remembered: false },
  ]);
});
