import type { Me } from '@svc/contracts';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';

type LoadPage = () => Promise<ComponentType<{ me: Me }>>;

/** A page for accounts alone; it comes with its gate when it is asked for. */
export const forAccounts = (load: LoadPage) => gated(load, false);

/** A page for administrators alone; it comes with its gate when it is asked for. */
export const forAdmins = (load: LoadPage) => gated(load, true);

function gated(load: LoadPage, admin: boolean) {
  return lazyRouteComponent(async () => {
    const [Page, { Gate }] = await Promise.all([load(), import('./gate.tsx')]);
    return { default: () => <Gate admin={admin}>{(me) => <Page me={me} />}</Gate> };
  });
}
