import { compose } from '@svc/adapters/compose.ts';
import { getSiteSettings } from '@svc/application/settings/get-site-settings.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('settings');

export const getSiteSettingsRoute = route(operations.getSiteSettings, () => getSiteSettings(ports));
