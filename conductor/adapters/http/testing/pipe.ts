/** The server's end of a connection in memory. */
import type { ByteSocket } from '../connection-host.ts';

/** A socket that takes as many bytes as it is told to, and says whether it is read. */
export class Pipe implements ByteSocket {
  readonly remoteAddress = '127.0.0.1';
  takes = Infinity;
  isPaused = false;
  isEnded = false;
  sent = '';
  write(data: string | Uint8Array): number {
    const bytes = Buffer.from(data as string);
    const taken = Math.min(this.takes, bytes.length);
    this.takes -= taken;
    this.sent += bytes.toString('latin1', 0, taken);
    return taken;
  }
  end(): void {
    this.isEnded = true;
  }
  shutdown(): void {
    this.isEnded = true;
  }
  terminate(): void {
    this.isEnded = true;
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
}
