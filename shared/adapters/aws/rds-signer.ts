export { Signer } from '@aws-sdk/rds-signer';
