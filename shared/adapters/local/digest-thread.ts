import { tlshOf } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { answerAsks } from '../machine/answer-asks.ts';
import { workBehindOthers } from './behind-others.ts';
import { sortHashes } from './offline/sort-hashes.ts';

workBehindOthers();

const answers = {
  digestOf: async (path: string): Promise<string | null> => {
    const source = await fileSource(path);
    try {
      return await tlshOf(source);
    } finally {
      await source.close();
    }
  },
  sortHashes,
};
export type DigestThread = typeof answers;
answerAsks(answers);
