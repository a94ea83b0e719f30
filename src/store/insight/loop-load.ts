// Whether this process has much to do: how much of the last moments its event loop was at work, or a processor for any of its threads.

const windowMs = 200;
const busyShare = 0.75;

export class LoopLoad {
  #before = performance.eventLoopUtilization();
  #cpuBefore = process.cpuUsage();
  #lookedAtMs = performance.now();
  #isBusy = false;

  get isBusy(): boolean {
    const nowMs = performance.now();
    const elapsedMs = nowMs - this.#lookedAtMs;
    if (elapsedMs < windowMs) return this.#isBusy;
    const current = performance.eventLoopUtilization();
    const cpu = process.cpuUsage();
    const { user, system } = this.#cpuBefore;
    const cpuMs = (cpu.user - user + cpu.system - system) / 1000;
    const { utilization } = performance.eventLoopUtilization(current, this.#before);
    this.#isBusy = Math.max(utilization, cpuMs / elapsedMs) > busyShare;
    this.#before = current;
    this.#cpuBefore = cpu;
    this.#lookedAtMs = nowMs;
    return this.#isBusy;
  }
}
