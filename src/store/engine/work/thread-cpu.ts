// The processor time that the calling thread has used, in milliseconds: unlike time by the clock it is the same work on a machine that
// others use as well.

export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
