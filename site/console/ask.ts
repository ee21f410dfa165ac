/** A question to the console's server that whoever asked may give up. */

/** What it answers, or null: where it cannot be reached, refuses, or was given up, also while its answer arrived. */
export async function ask<Answer>(address: string, signal: AbortSignal): Promise<Answer | null> {
  try {
    const response = await fetch(address, { signal });
    return response.ok ? ((await response.json()) as Answer) : null;
  } catch {
    return null;
  }
}
