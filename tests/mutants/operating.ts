/** Mutants of the operators' tool: what every procedure keeps, and what single steps refuse. */
import { mutantsOf, type Mutant } from './mutant.ts';

const steps = 'conductor/cli/operate/operations.test.ts';

export const operatingMutants: readonly Mutant[] = [
  ...mutantsOf('conductor/cli/operate/procedure.ts', 'conductor/cli/operate/procedure.test.ts', [
    {
      id: 'further 7',
      law: 'The quorum is checked before every step.',
      find: "const isChecked = step.quorum !== 'irrelevant' && !this.#options.ignoresQuorum;",
      replace: "const isChecked = step.quorum !== 'irrelevant' && !this.#options.ignoresQuorum && !this.#hasChanged;",
      testName: 'without a quorum no step is done, whichever it is',
    },
    {
      id: 'further 7',
      law: 'A call without an answer may have had its effect.',
      find: 'if (isRefused) return',
      replace: "if (trouble !== '') return",
      testName: 'without an answer and without an effect the deadline ends it, with the reason',
    },
    {
      id: 'further 7',
      law: 'After somebody confirmed the cluster is looked at again.',
      find: 'this.#isConfirmed = true;',
      replace: 'this.#isConfirmed = true;\n      return this.#perform(step, view);',
      testName: 'the cluster is looked at again after somebody confirmed',
    },
    {
      id: 'further 7',
      law: 'A step that failed is taken back.',
      find: "return end.kind === 'done' || end.isLeft ? end : this.#undo(step, end);",
      replace: 'return end;',
      testName: 'a failed step is taken back where there is something to take back',
    },
  ]),
  ...mutantsOf('conductor/cli/operate/membership-steps.ts', steps, [
    {
      id: 'further 7',
      law: 'A server is added as a nonvoter first, and promoted after it caught up.',
      find: 'const first = [addNonvoterStep(access, joiner), caughtUpStep(joiner)];',
      replace: 'const first = [addNonvoterStep(access, joiner)];',
      testName: 'no vote for who has not caught up; as a nonvoter it stays',
    },
    {
      id: 'membership-race',
      law: 'The tool changes the membership it decided on, or none.',
      find: 'addNonvoter({ id, address }, membershipOf(view).version)',
      replace: 'addNonvoter({ id, address }, 0)',
      testName: 'a membership that somebody else changed in between is not changed',
    },
    {
      id: 'further 7',
      law: 'Nobody is taken out whose going would cost the majority.',
      find: 'if (!survivesRemovalOf(view, id)) return',
      replace: "if (id === '') return",
      testName: 'nobody leaves whose going would cost the majority',
    },
  ]),
  ...mutantsOf('conductor/cli/operate/leadership-step.ts', steps, [
    {
      id: 'unprovisioned',
      law: 'The tool hands leadership to nobody who could not sequence.',
      find: 'whyNot: (view) => whyUnfitToLead(view, to),',
      replace: 'whyNot: () => null,',
      testName: 'leadership is not handed over when: %s',
    },
    {
      id: 'further 7',
      law: 'A leader whose op-node does not answer has not begun to sequence.',
      find: "return server.config.node === null ? null : 'silent';",
      replace: 'return null;',
      testName: 'leadership is not handed over by a target whose op-node does not answer, whoever leads at the end',
    },
    {
      id: 'further 7',
      law: 'The tool takes back only what it did itself.',
      find: 'handed !== null && leaderOf(view)?.id === handed.to && !isSettled(view)',
      replace: "leaderOf(view)?.id !== 'node-1'",
      testName: 'what somebody else handed over is not taken back',
    },
  ]),
  ...mutantsOf('conductor/cli/operate/bootstrap-procedure.ts', 'conductor/cli/operate/bootstrap-procedure.test.ts', [
    {
      id: 'rule 24',
      law: 'Two bootstrapped servers are not made one cluster.',
      find: 'if (leading.length > 1)',
      replace: 'if (leading.length > 2)',
      testName: 'is refused when: %s',
    },
  ]),
];
