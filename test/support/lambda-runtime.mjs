// What Lambda does in a process of its own: imports the bundle, then hands it one event after another.
const before = process.cpuUsage();
const startedAt = performance.now();
const { handler } = await import(process.argv[2]);
const importMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
process.send({ importMs, cpuMs: (user + system) / 1000 });
process.on('message', async ({ event, context }) => {
  const deadline = performance.now() + 60_000;
  const getRemainingTimeInMillis = () => deadline - performance.now();
  try {
    process.send({ result: (await handler(event, { ...context, getRemainingTimeInMillis })) ?? null });
  } catch (error) {
    process.send({ failure: error.stack ?? String(error) });
  }
});
