import { compose } from '@svc/adapters/compose.ts';
import { changeSiteSettings } from '@svc/application/settings/change-site-settings.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('settings');

export const changeSiteSettingsRoute = route(operations.changeSiteSettings, (_actor, input) =>
  changeSiteSettings(ports, input),
);
