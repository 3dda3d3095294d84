import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { defineService } from '../service.ts';

/** Every stack's template, as `cdk synth` with this context writes it. */
export function synthesised(context: Readonly<Record<string, unknown>> = {}) {
  const service = defineService(new App({ context }));
  const { network, data, storage, operations } = service;
  return {
    service,
    network: Template.fromStack(network),
    data: Template.fromStack(data),
    storage: Template.fromStack(storage),
    serviceStack: Template.fromStack(service.service),
    operations: operations && Template.fromStack(operations),
  };
}
