import { CrossStackReferences, ReferenceStrength, type App } from 'aws-cdk-lib';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { output } from '../constructs/output.ts';
import { Queues } from '../constructs/queues.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { StorageStack } from './storage-stack.ts';

/** Of what runs, the part that LocalStack has: the queues. Gateway and workers are processes beside it. */
export class LocalServiceStack extends BaseStack {
  constructor(app: App, id: string, props: BaseProps & { readonly storage: StorageStack }) {
    super(app, id, props);
    // It does not know Fn::GetStackOutput.
    CrossStackReferences.of(this).consume(ReferenceStrength.STRONG);
    const queues = new Queues(this, 'Queues', props.storage);
    const variables: ServiceEnvironment = { ...props.storage.variables, ...queues.variables };
    // What those processes are started with (localstack/deploy.ts).
    output(this, 'Environment', this.toJsonString(variables));
  }
}
