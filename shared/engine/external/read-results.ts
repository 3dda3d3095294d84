import type { Reader } from '../readers/reader.ts';
import { readMatches } from './read-matches.ts';
import { ToldEvent } from './told-event.ts';

/** Reads the results of an external engine as a log of the events in them, each of which tells its rule. */
export const readResults: Reader = (source, tables, visit, options) => {
  const event = new ToldEvent(tables);
  return readMatches(
    source,
    (match, offset) => {
      event.take(match, offset);
      visit(event);
    },
    options,
  );
};
