/**
 * The process's own metrics under the names that every Prometheus client gives them and dashboards ask for:
 * memory, processor time, the start, and open files and sockets. What describes Go's runtime has no counterpart here; the
 * virtual memory of this one, mostly address space that is never used, would only mislead.
 */
import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { descriptorLimit } from '../system/descriptors.ts';

const descriptorFolder = '/proc/self/fd';

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
  if (openDescriptors() !== null) registerDescriptors(registers);
}

function registerDescriptors(registers: Registry[]): void {
  const open: Gauge = new Gauge({
    name: 'process_open_fds',
    help: 'Number of open file descriptors.',
    registers,
    collect: (): void => open.set(openDescriptors() ?? 0),
  });
  new Gauge({ name: 'process_max_fds', help: 'Maximum number of open file descriptors.', registers }).set(
    descriptorLimit(),
  );
}

/** null where the system does not say (no /proc). */
function openDescriptors(): number | null {
  try {
    return readdirSync(descriptorFolder).length;
  } catch {
    return null;
  }
}
