import { tlshOf } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { parentPort, workerData } from 'node:worker_threads';
import { workBehindOthers } from './behind-others.ts';
import type { DigestReply } from './digest-messages.ts';

workBehindOthers();
const source = await fileSource(workerData as string);
const reply: DigestReply = { digest: await tlshOf(source) };
await source.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
parentPort?.postMessage(reply);
