import { expect, it } from 'vitest';
import { clientName } from './client-name.ts';

const [windows, mac] = ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'];
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`${windows} ${webkit} Chrome/149.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} ${webkit} Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0`, 'Edge on Windows'],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`, 'Safari on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/149.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149 Mobile/15E148 Safari/604.1', 'Chrome on iOS'],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.33.0', 'python-requests'],
  ['<script>', 'Unknown program'],
  [undefined, 'Unknown program'],
  ['x'.repeat(5000), 'x'.repeat(40)],
])('%s is %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
