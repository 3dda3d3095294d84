import type { Me } from '@svc/contracts';
import type { Role } from '@svc/domain';
import type { ComponentType } from 'react';
import { lazy } from '../ui/lazy.ts';

type LoadPage = () => Promise<ComponentType<{ me: Me }>>;

/** A page for accounts alone; it comes with its gate when it is asked for. */
export const forAccounts = (load: LoadPage) => gated(load, 'user');

/** A page for members and administrators; it comes with its gate when it is asked for. */
export const forMembers = (load: LoadPage) => gated(load, 'member');

/** A page for administrators alone, below the list of such pages; it comes with its gate when it is asked for. */
export const forAdmins = (load: LoadPage) =>
  gated(async () => {
    const [Page, { AdminPage }] = await Promise.all([load(), import('./admin-page.tsx')]);
    return ({ me }) => (
      <AdminPage>
        <Page me={me} />
      </AdminPage>
    );
  }, 'admin');

function gated(load: LoadPage, least: Role) {
  return lazy(async () => {
    const [Page, { Gate }] = await Promise.all([load(), import('./gate.tsx')]);
    return { default: () => <Gate least={least}>{(me) => <Page me={me} />}</Gate> };
  });
}
