import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../api/session.ts';
import { paths } from '../paths.ts';
import { SignInLink } from '../ui/sign-in-link.tsx';
import { Notice } from '../ui/states.tsx';
import type { Viewer } from './entries.ts';
import styles from './session-ended.module.css';

/** Says that a session has ended while its page was open, and leads back to that page; signing out is no such end. */
export function SessionEnded() {
  const me = useMe();
  const here = useLocation({ select: ({ pathname }) => pathname });
  const [last, setLast] = useState<Viewer>(me);
  const [ended, setEnded] = useState(false);
  if (me !== last) {
    setLast(me);
    // Signing out forgets who it was before it learns that it is nobody.
    setEnded(me === null && (ended || last !== undefined));
  }
  if (!ended || here === paths.login) return null;
  return (
    <div className={styles.place}>
      <Notice tone="warn">
        <strong>Your session has ended.</strong> <SignInLink /> to go on; you come back to this page.
      </Notice>
    </div>
  );
}
