import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The texts of secrets, by their ARNs or names, in the same order. Region, credentials and endpoint are the AWS SDK's own. */
export async function readSecrets(ids: readonly string[]): Promise<string[]> {
  const client = new SecretsManagerClient({});
  try {
    return await Promise.all(ids.map((id) => readSecret(client, id)));
  } finally {
    client.destroy();
  }
}

async function readSecret(client: SecretsManagerClient, id: string): Promise<string> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString === undefined) throw new Error('it holds bytes, not text');
    return SecretString;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The secret ${id} cannot be read: ${reason}`, { cause: error });
  }
}
