import { type Analysis, analyze, type ByteSource, loadRules } from '@svc/engine';

/** A dropped file, or any other Blob, as a source of bytes. */
function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, into) {
      const bytes = new Uint8Array(await blob.slice(offset, offset + into.length).arrayBuffer());
      into.set(bytes);
      return bytes.length;
    },
  };
}

export async function analyzeBlob(blob: Blob, ruleText: string, signal: AbortSignal): Promise<Analysis> {
  const { rules } = loadRules([{ path: 'rules.yml', text: ruleText }]);
  return analyze(blobSource(blob), { rules, logType: 'auto', maxSamples: 100, signal });
}
