import { expect, it } from 'vitest';
import { s3Origin } from './s3-settings.ts';

const aws = { bucket: 'logs', region: 'eu-central-1', endpoint: null };

it.each([
  [aws, 'https://logs.s3.eu-central-1.amazonaws.com'],
  [{ ...aws, bucket: 'logs.example.org' }, 'https://s3.eu-central-1.amazonaws.com'],
  [{ ...aws, region: 'cn-north-1' }, 'https://logs.s3.cn-north-1.amazonaws.com.cn'],
  [{ ...aws, endpoint: 'https://s3.example.org/' }, 'https://s3.example.org'],
  [{ ...aws, endpoint: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000'],
])('knows where browsers send files: %j', (settings, origin) => {
  expect(s3Origin(settings)).toBe(origin);
});
