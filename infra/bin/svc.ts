import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { defineService } from '../service.ts';

const app = new App();
// Nothing is deployed that the tests would refuse.
if (defineService(app).onAws) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
