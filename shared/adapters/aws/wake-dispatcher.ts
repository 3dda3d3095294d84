import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientDefaults } from './client-defaults.ts';

/** Invokes the function that starts workers, without waiting for what it does. */
export async function wakeDispatcher(client: LambdaClient, functionName: string): Promise<void> {
  await client.send(new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event' }));
}

/** Configured by the AWS SDK's environment. */
export function openLambda(): LambdaClient {
  return new LambdaClient(clientDefaults());
}
