import { describe, expect, it } from 'vitest';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { isApiRequest } from './routing.ts';

/** What browsers say when somebody opens an address; of links to files, too, but for Chromium. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Addresses of all that answers with a file, rather than with JSON or with news as it comes. */
const files = Object.values<Operation>(operations)
  .filter(({ method, bytes }) => method === 'GET' && bytes !== undefined && bytes !== 'text/event-stream')
  .map(({ path }) => path.replaceAll(/\{\w+\}/g, '7'));
const layers = ['/jobs/7/mitre-layer', '/intel/entities/7/mitre-layer', '/intel/mitre-layer'];

describe('who answers a request of a browser', () => {
  it.each([...files, ...layers, '/jobs/7/download', '/jobs/7/export-raw'])('is the API for the file %s', (path) => {
    expect(isApiRequest({ method: 'GET', path, accept })).toBe(true);
  });

  it.each(['/jobs/7', '/intel', '/intel/entities/7', '/intel/cases/7', '/intel/feeds', '/admin/activity'])(
    'is the application for the page %s',
    (path) => {
      expect(isApiRequest({ method: 'GET', path, accept })).toBe(false);
      expect(isApiRequest({ method: 'GET', path, accept: 'application/json' })).toBe(true);
    },
  );
});
