/** Begins to count: milliseconds of processor time, which other programs of a busy machine add little to. */
export function processorTime(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  };
}
