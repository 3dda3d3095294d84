import { httpHandler } from '../../http-handler.ts';
import { changeSiteSettingsRoute } from './change-site-settings.ts';
import { createApiTokenRoute } from './create-api-token.ts';
import { createUserRoute } from './create-user.ts';
import { deleteUserRoute } from './delete-user.ts';
import { getSiteSettingsRoute } from './get-site-settings.ts';
import { listApiTokensRoute } from './list-api-tokens.ts';
import { listUsersRoute } from './list-users.ts';
import { revokeApiTokenRoute } from './revoke-api-token.ts';
import { setUserActiveRoute } from './set-user-active.ts';
import { setUserPasswordRoute } from './set-user-password.ts';
import { setUserRoleRoute } from './set-user-role.ts';

export const handler = httpHandler([
  changeSiteSettingsRoute,
  createApiTokenRoute,
  createUserRoute,
  deleteUserRoute,
  getSiteSettingsRoute,
  listApiTokensRoute,
  listUsersRoute,
  revokeApiTokenRoute,
  setUserActiveRoute,
  setUserPasswordRoute,
  setUserRoleRoute,
]);
