export * from './node/analyze-file.ts';
export * from './node/file-source.ts';
export * from './node/read-pack.ts';
export * from './node/rule-cache.ts';
export * from './node/rule-files.ts';
export * from './node/thread-entry.ts';
export * from './node/unpacked-size.ts';
