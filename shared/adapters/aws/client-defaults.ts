/** Silence after which a connection counts as lost; longer than any wait for a message. */
const silenceMs = 30_000;
const connectMs = 5000;

/** What all clients of AWS have in common. */
export function clientDefaults(): { requestHandler: { connectionTimeout: number; socketTimeout: number } } {
  // Its advice on versions of Node.js is for those who choose the SDK's version, not for operators.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return { requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs } };
}
