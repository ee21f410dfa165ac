/**
 * Who calls: what a transport knows about the caller of a request, as far as the core needs it. How an
 * identity is proved (tokens, JWT) is the host's business; here it is a name or a refusal.
 */

/** Whether the caller may use methods that change something. */
export type Identity =
  /** Allowed. `name` goes into the audit log: a token's name, 'jwt', or '' where nobody is asked for proof. */
  | { readonly kind: 'allowed'; readonly name: string }
  /** Not allowed. `message` says why and how to authenticate; it holds nothing of what was presented. */
  | { readonly kind: 'refused'; readonly message: string };

/** What is asked of a caller: a proof of who it is, or only that it is not a web page that cannot prove it. */
export type Guard = 'proof' | 'no-page';

/** Where no proof is configured: everybody is allowed and nobody has a name. */
export const anybody: Identity = { kind: 'allowed', name: '' };
