import { useQuery } from '@tanstack/react-query';
import type { Banner as Said } from '@svc/contracts';
import { useEffect } from 'react';
import { bannerQuery } from '../api/session.ts';
import { keepAs, kept } from '../ui/use-kept.ts';
import styles from './banner.module.css';

const name = 'svc-banner';

/** How the site is marked, and what its administrators tell everybody: on top of every page, also of printed ones. */
export function Banner() {
  const { data } = useQuery(bannerQuery);
  useEffect(() => {
    if (data !== undefined) keepAs(name, data);
  }, [data]);
  // What it was last, until the service has said, so that the page does not move then.
  const banner = data === undefined ? (kept(name) as Said | null) : data;
  if (!banner) return null;
  return (
    <div className={styles.banner} role="note" data-banner="">
      {banner.marking && (
        <strong data-tlp={/^TLP:(\w+)/i.exec(banner.marking)?.[1]?.toLowerCase()}>{banner.marking}</strong>
      )}
      {banner.text}
    </div>
  );
}
