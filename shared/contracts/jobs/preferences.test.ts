import { expect, it } from 'vitest';
import { asPreferences, keptPreferences, preferenceCookies } from './preferences.ts';

it('takes only what is offered', () => {
  expect(asPreferences({ view: 'roomy', per: '50' })).toEqual({ view: 'roomy', per: 50 });
  expect(asPreferences({ view: 'huge', per: 33 })).toEqual({});
  expect(asPreferences({ view: ['roomy'], per: '' })).toEqual({});
});

it('finds its cookies among others, and believes none of them', () => {
  expect(keptPreferences(['svc_auth=x', ' svc_jobs_view=roomy', 'svc_jobs_per_page=100'])).toEqual({
    view: 'roomy',
    per: 100,
  });
  expect(keptPreferences(['svc_jobs_view=<script>', 'svc_jobs_per_page=1e9', 'xsvc_jobs_view=roomy'])).toEqual({});
});

it('reads what it wrote', () => {
  const written = preferenceCookies({ view: 'compact', per: 20 }, { secure: true });
  expect(keptPreferences(written.map((cookie) => cookie.split(';')[0] ?? ''))).toEqual({ view: 'compact', per: 20 });
});
