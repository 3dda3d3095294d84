import { lockDirectory } from '../machine/directory-lock.ts';

// Takes a lock and keeps it until it is killed or its input ends; says how it went.
const path = process.argv[2];
if (path === undefined) throw new Error('lock-taker needs the path of a lock');
try {
  const lock = await lockDirectory(path);
  process.stdout.write(`locked by ${process.pid}\n`);
  process.stdin.resume().once('end', () => void lock.release().then(() => process.exit(0)));
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`);
}
