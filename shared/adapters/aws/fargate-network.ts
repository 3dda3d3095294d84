import type { NetworkConfiguration } from '@aws-sdk/client-ecs';

/** Where tasks are. */
export interface FargateNetwork {
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
}

/** With no address of their own on the Internet. */
export function networkOf({ subnets, securityGroups }: FargateNetwork): NetworkConfiguration {
  return {
    awsvpcConfiguration: { subnets: [...subnets], securityGroups: [...securityGroups], assignPublicIp: 'DISABLED' },
  };
}
