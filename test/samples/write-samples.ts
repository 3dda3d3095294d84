import { writeFileSync } from 'node:fs';
import { sampleFiles } from './samples.ts';

for (const [name, bytes] of sampleFiles()) {
  writeFileSync(`config/samples/${name}`, bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}
