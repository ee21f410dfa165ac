/**
 * Tokens for an engine API (execution-apis, authentication): HS256 with the secret that the execution client shares
 * with op-node. A client takes a token within 60 s of its issue, so every request carries one of its own.
 */

/** {"alg":"HS256","typ":"JWT"} */
const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** A token issued at `unixSeconds`. `secret` is 32 bytes. */
export function engineToken(secret: Uint8Array, unixSeconds: number): string {
  const claims = Buffer.from(`{"iat":${Math.floor(unixSeconds)}}`).toString('base64url');
  const signed = `${header}.${claims}`;
  return `${signed}.${new Bun.CryptoHasher('sha256', secret).update(signed).digest('base64url')}`;
}
