import { useQuery } from '@tanstack/react-query';
import { bannerQuery } from '../api/session.ts';
import styles from './banner.module.css';

/** How the site is marked, and what its administrators tell everybody: on top of every page, also of printed ones. */
export function Banner() {
  const { data: banner } = useQuery(bannerQuery);
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
