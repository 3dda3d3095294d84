// What Lambda does in a process of its own: imports the bundle, then hands it one event after another.
const startedAt = performance.now();
const { handler } = await import(process.argv[2]);
process.send({ importMs: performance.now() - startedAt });
process.on('message', async ({ event, context }) => {
  try {
    process.send({ result: (await handler(event, context)) ?? null });
  } catch (error) {
    process.send({ failure: error.stack ?? String(error) });
  }
});
