import { PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { describeWith } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';

const line = `${JSON.stringify({ EventID: 4688, Channel: 'Security', Computer: 'ws1', NewProcessName: 'C:\\a.exe' })}\n`;

let s3: S3Server | null = null;
const withS3 = async (): Promise<NodeJS.ProcessEnv> => {
  s3 = await startS3();
  return { ...s3.env, S3_PUBLIC_ENDPOINT: s3.endpoint };
};

describeWith('s3', 'a large file that goes to S3', () => {
  describeInBrowser(
    'from a browser',
    ({ open, server }) => {
      afterAll(() => s3?.remove());

      /** The rule that docs/operations.md asks for. */
      async function allow(): Promise<void> {
        const rule = { AllowedOrigins: [server().url], AllowedMethods: ['PUT'], AllowedHeaders: ['*'] };
        const cors = new PutBucketCorsCommand({ Bucket: s3?.bucket, CORSConfiguration: { CORSRules: [rule] } });
        await s3?.client.send(cors);
      }

      it('is refused by the browser without a rule of the bucket, and taken with one', async () => {
        const page = await open('/');
        const answers: (number | string)[] = [];
        page.on('response', (response) => {
          if (response.url().startsWith(s3?.endpoint ?? '-') && response.request().method() === 'PUT')
            answers.push(response.status());
        });
        const input = page.locator('input[type=file]');
        const buffer = Buffer.from(line.repeat(60_000));
        await input.setInputFiles({ name: 'large.json', mimeType: 'application/octet-stream', buffer });
        await page.getByLabel('Type of large.json').filter({ hasText: /JSON/ }).waitFor();
        await page.getByRole('button', { name: /^Submit/ }).click();
        await page.getByText('The connection to the service is lost').waitFor({ timeout: 30_000 });
        await allow();
        // It tries again by itself.
        await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
        expect(answers.at(-1)).toBe(200);
      });
    },
    { env: withS3 },
  );
});
