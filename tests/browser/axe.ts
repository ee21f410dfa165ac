/** axe over a page as it is now: by the rules of WCAG 2.2 A and AA, and axe's own best practices. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** The size of targets is AA since 2.2; axe looks at it only when told. */
const OPTIONS = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** What fades in or changes its colour is looked at when it has; what never ends is not waited for. Milliseconds. */
const FADE_MS_MAX = 2000;
const faded = `Promise.race([
  Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  ),
  new Promise((done) => setTimeout(done, ${FADE_MS_MAX})),
]).then(() => undefined)`;

/**
 * One sentence for each element that breaks a rule: rule, what it asks for, where, and what is wrong; empty when all is
 * well. Colours and what is hidden count as they are, so ask once for each theme. `within` is a selector.
 */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
  // Over the debugger, and thus also into pages whose content security policy forbids foreign scripts.
  await page.evaluate(`${axe.source}; undefined`);
  await page.evaluate(faded);
  const findings = await page.evaluate<readonly Finding[]>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  return findings.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const reason = failureSummary.replaceAll(/\s*\n\s*/g, ' ');
      return `${id}: ${help}: ${target.join(' ')}: ${reason}`;
    }),
  );
}
