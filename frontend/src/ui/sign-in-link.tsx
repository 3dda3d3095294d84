import { Link, useLocation } from '@tanstack/react-router';
import { paths } from '../paths.ts';

/** Where signing in leads back to: the address that is open, filters and all. */
export function useWayBack(): { readonly next?: string } {
  return useLocation({
    select: ({ href, pathname, search }): { readonly next?: string } => {
      if (pathname !== paths.login) return { next: href };
      return search.next === undefined ? {} : { next: search.next };
    },
  });
}

/** Leads to the sign-in page, and from there back to where it stands; what this window holds stays. */
export function SignInLink({ children = 'Sign in' }: { children?: string }) {
  return (
    <Link to={paths.login} search={useWayBack()}>
      {children}
    </Link>
  );
}
