import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { AiRunner } from '@svc/application/ports/ai-runner.ts';
import { openLambda } from './wake-dispatcher.ts';

/** Invokes the function that asks models, without waiting for what it does. */
export function lambdaAiRunner(functionName: string): AiRunner & { close(): void } {
  const client = openLambda();
  return {
    handOver: async (runId) => {
      const Payload = JSON.stringify({ runId });
      await client.send(new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload }));
      return true;
    },
    close: () => client.destroy(),
  };
}
