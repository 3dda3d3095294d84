import { Link } from '@tanstack/react-router';
import { paths, type ChapterId } from '../paths.ts';
import styles from './guide-link.module.css';

/** Leads to a chapter of the guide, from where a question about it arises. */
export function GuideLink({ chapter, children = 'Guide' }: { chapter: ChapterId; children?: string }) {
  return (
    <Link to={paths.guide} hash={chapter} className={styles.link}>
      {children}
    </Link>
  );
}
