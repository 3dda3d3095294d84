/**
 * Passwords for RDS and its proxy: tokens signed with the credentials of this process, each good for fifteen minutes
 * of connecting. Nobody is asked for them.
 */
export const iamDatabasePasswords = async ({
  host,
  port,
  user,
}: {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
}): Promise<string> => {
  const { Signer } = await import('./rds-signer.ts');
  if (host === undefined || user === undefined) throw new Error('DATABASE_URL must name a host and a user');
  return new Signer({ hostname: host, port: port ?? 5432, username: user }).getAuthToken();
};
