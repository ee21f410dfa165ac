/**
 * The process's own metrics under the names that every Prometheus client gives them and dashboards ask for:
 * memory, processor time and the start. What describes Go's runtime has no counterpart here.
 */
import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** Adds them to a registry; they are read anew for every page. */
export function registerProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const memory: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
    registers,
    collect: (): void => memory.set(process.memoryUsage.rss()),
  });
  const processor: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers,
    collect: (): void => {
      const { user, system } = process.cpuUsage();
      processor.reset();
      processor.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers,
  }).set(Date.now() / 1000 - process.uptime());
}
