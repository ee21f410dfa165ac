/** Mutants of the operators' tool: what every procedure keeps, and what single steps refuse. */
import { mutantsOf, type Mutant } from './mutant.ts';

const steps = 'conductor/operate/operations.test.ts';

/** Tried in every state of three servers. */
const states = 'conductor/operate/second-sequencer.test.ts';
const noSecond = 'no command that passes its guard makes a second sequencer';
const noAdvice = 'no sentence advises what makes a second sequencer; what status advises passes its guard';

const secondSequencerMutants: readonly Mutant[] = [
  ...mutantsOf('conductor/operate/sequencers.ts', states, [
    {
      id: 'further 7',
      law: 'A sequencer that says nothing may build.',
      find: "isKeptIdle(server) ? 'idle' : 'unknown';",
      replace: "isKeptIdle(server) ? 'idle' : 'idle';",
      testName: noSecond,
    },
    {
      id: 'further 7',
      law: 'Only a conductor in charge speaks for an op-node that nobody can ask.',
      find: '[claimsLeader, isPaused, isStopped, isOverridden].every(',
      replace: '[claimsLeader, isStopped].every(',
      testName: noSecond,
    },
    {
      id: 'further 7',
      law: 'Whoever acts may get the lead of a leader that does not build, and start.',
      find: "if (leader !== null && buildingOf(leader) === 'builds') return null;",
      replace: 'if (leader !== null) return null;',
      testName: noSecond,
    },
    {
      id: 'further 7',
      law: 'A member without a URL here may build.',
      find: 'if (missing.length <= nameless) return [];',
      replace: 'if (missing.length >= 0) return [];',
      testName: 'a member that nobody can ask may build',
    },
  ]),
  ...mutantsOf('conductor/operate/pause-steps.ts', states, [
    {
      id: 'further 7',
      law: 'No conductor is resumed that could start a second sequencer.',
      find: "const why = whyUnreachable(view, config) ?? whySecond(view, { kind: 'act', server });",
      replace: 'const why = whyUnreachable(view, config);',
      testName: noSecond,
    },
    {
      id: 'further 7',
      law: 'No conductor is paused that is about to stop its sequencer.',
      find: 'guard: (view) => whyUnreachable(view, config) ?? whyPausedTooEarly(view, config),',
      replace: 'guard: (view) => whyUnreachable(view, config),',
      testName: noSecond,
    },
  ]),
  ...mutantsOf('conductor/operate/pause-steps.ts', 'conductor/operate/pause-command.test.ts', [
    {
      id: 'further 7',
      law: 'A pause is not taken back beside a sequencer that began meanwhile.',
      find: "const why = whySecond(view, { kind: 'act', server: seen(view, config) });",
      replace: 'const why: string | null = null;',
      testName: 'that fails is not taken back beside a sequencer that began meanwhile',
    },
  ]),
  ...mutantsOf('conductor/operate/leadership-step.ts', states, [
    {
      id: 'further 7',
      law: 'Leadership goes to nobody who would build beside another.',
      find: "(id === null ? null : whySecond(view, { kind: 'lead', id }))",
      replace: 'null',
      testName: noSecond,
    },
  ]),
  ...mutantsOf('conductor/operate/deploy-step.ts', states, [
    {
      id: 'further 7',
      law: 'Nothing is deployed whose conductor could start a second sequencer.',
      find: "return whyNeeded(view, server) ?? whySecond(view, { kind: 'act', server: seen(view, server) });",
      replace: 'return whyNeeded(view, server);',
      testName: noSecond,
    },
  ]),
  ...mutantsOf('conductor/operate/bluegreen-command.ts', states, [
    {
      id: 'further 7',
      law: 'A conductor that does not answer may be in charge.',
      find: 'if (isCluster && inCharge.length === 0 && silent.length > 0)',
      replace: 'if (silent.length < 0)',
      testName: 'no sequencer is started by hand beside another, or a conductor that may be in charge',
    },
  ]),
  ...mutantsOf('conductor/operate/bring-back.ts', 'conductor/operate/sequencing-step.test.ts', [
    {
      id: 'further 7',
      law: 'Sequencing goes back to nobody while a third may build.',
      find: 'if (own !== null && ahead.length === 0 && second === null)',
      replace: 'if (own !== null && ahead.length === 0)',
      testName: 'but not back while a third does not answer whether it builds',
    },
  ]),
  ...mutantsOf('conductor/operate/sequencing-troubles.ts', states, [
    {
      id: 'further 7',
      law: 'Status advises to resume nobody beside a sequencer that builds or may build.',
      find: 'return why === null',
      replace: "return why !== ''",
      testName: noAdvice,
    },
    {
      id: 'further 7',
      law: 'Status advises to start no conductor beside a sequencer but paused.',
      find: 'if (!danger) return',
      replace: 'return',
      testName: noAdvice,
    },
  ]),
];

export const operatingMutants: readonly Mutant[] = [
  ...secondSequencerMutants,
  ...mutantsOf('conductor/operate/procedure.ts', 'conductor/operate/procedure.test.ts', [
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
      replace: 'this.#isConfirmed = true;\n      return this.#execute(step, view);',
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
  ...mutantsOf('conductor/operate/membership-steps.ts', steps, [
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
  ...mutantsOf('conductor/operate/leadership-step.ts', steps, [
    {
      id: 'unprovisioned',
      law: 'The tool hands leadership to nobody who could not sequence.',
      find: 'whyNot: (view) => whyIneligibleToTake(view, to),',
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
  ...mutantsOf('conductor/operate/bootstrap-procedure.ts', 'conductor/operate/bootstrap-procedure.test.ts', [
    {
      id: 'rule 24',
      law: 'Two bootstrapped servers are not made one cluster.',
      find: 'if (leading.length > 1)',
      replace: 'if (leading.length > 2)',
      testName: 'is refused when: %s',
    },
  ]),
];
