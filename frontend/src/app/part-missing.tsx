import { useEffect, useState } from 'react';
import { ErrorState } from '../ui/states.tsx';
import { obstacle, reloadForNewRelease, type Obstacle } from './new-release.ts';

const words: Readonly<Record<Obstacle, { title: string; text: string }>> = {
  'no connection': {
    title: 'The service cannot be reached',
    text: 'Reports of this window and files on their way are still here. Try again once the connection is back.',
  },
  'new release': {
    title: 'The service has been renewed',
    text: 'Trying again loads it anew, which loses what only this window has: save or submit that first.',
  },
  unknown: { title: 'This page failed to show', text: 'A part of it could not be fetched. Try again in a moment.' },
};

const RETRY_MS = 2000;
const JUST_MS = 15_000;
/** When the browser said last that it is online. */
let onlineAt = Number.NEGATIVE_INFINITY;
window.addEventListener('online', () => (onlineAt = Date.now()));

/** Stands where a part of the page is missing: says why, and never loads the page anew over unsaved work. */
export function PartMissingState({ retry }: { retry: () => void }) {
  const [why, setWhy] = useState<Obstacle>();
  useEffect(() => {
    let isShown = true;
    void (async () => {
      const found = await obstacle();
      if (isShown && !(found === 'new release' && reloadForNewRelease())) setWhy(found);
    })();
    return () => {
      isShown = false;
    };
  }, []);
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  // A browser says that it is online before anything can be fetched, and knows nothing of a service that starts.
  useEffect(() => {
    if (why !== 'no connection') return;
    const timer = setInterval(async () => {
      if ((await obstacle()) !== 'no connection') retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [why, retry]);
  useEffect(() => {
    if (why !== 'unknown' || Date.now() - onlineAt > JUST_MS) return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [why, retry]);
  if (why === undefined) return null;
  const { title, text } = words[why];
  const again = why === 'new release' ? () => window.location.reload() : retry;
  return <ErrorState whole what={title} error={new Error(text)} retry={again} />;
}
