import { App } from 'aws-cdk-lib';
import { defineService } from '../service.ts';

defineService(new App());
