/**
 * Ends what a benchmark started when the benchmark is gone, even by kill −9. A small shell waits at the other end of a
 * pipe until that closes, then kills every process that has the mark of this run in its environment. Linux only, as the
 * benchmarks of whole conductors are: the shell looks into /proc.
 */

const VARIABLE = 'CONDUCTOR_BENCH_RUN';
/** Again while there are any: one may have started another in between. */
const SCRIPT = `
trap '' HUP INT TERM
exec 2>/dev/null
read -r _
for pass in 1 2 3; do
  for environment in $(grep -lzxF -- "$1" /proc/[0-9]*/environ); do
    pid=\${environment#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done`;

/** Marks processes started from now on with `process.env` as their environment. */
export function endOrphansWithUs(): void {
  const value = `${process.pid}-${Date.now()}`;
  const shell = Bun.spawn(['sh', '-c', SCRIPT, 'sh', `${VARIABLE}=${value}`], {
    // Open until this process is gone, however it ends.
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  shell.unref();
  process.env[VARIABLE] = value;
}
