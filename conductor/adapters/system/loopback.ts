/** Which names and addresses mean this machine alone. */

/** Whether only this machine can reach an address to listen on. */
export function isLoopback(hostname: string): boolean {
  const bare = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(bare);
}

/** The same of a Host header, with or without a port; names under localhost, and with the root's dot, are this machine's. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost');
}
