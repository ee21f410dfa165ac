/**
 * The parts of a conductor and how they are joined: each is given what it may see of the others, as functions,
 * so that none of them knows the whole; but for the service, whose methods may be about any part. conductor.ts feeds them events.
 */
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { ControlLoop } from './control/loop.ts';
import type { Evidence } from './evidence/evidence.ts';
import { VoterVerdicts } from './evidence/voter-verdicts.ts';
import { OperatorWord } from './evidence/operator-word.ts';
import { isForbidden } from './evidence/proof.ts';
import { nodeViews, standingsText, type NodeView } from './evidence/node-views.ts';
import { Shutdown } from './shutdown.ts';
import { LeaderOverride } from './leader-override.ts';
import type { NodeHealth } from './node-health.ts';
import { withOrderEvents } from './order-events.ts';
import type { PayloadCommits } from './rpc/commit.ts';
import type { ConductorComponents, Judgement } from './components.ts';
import { buildControl, buildEvidence, buildHealth, buildWatchdog } from './build-control.ts';
import { buildDependencies } from './build-dependencies.ts';
import { buildCommits } from './build-commits.ts';
import { RpcService } from './rpc/service.ts';

/** Loads the store; throws StoreError when it cannot be trusted. `nowMs` is monotonic. */
export function buildComponents(options: ConductorOptions, ports: ConductorPorts, nowMs: number): ConductorComponents {
  const dependencies = buildDependencies(options, ports, nowMs);
  const { raft, outbox, chain, time, view } = dependencies;
  const { metrics, logger } = ports;
  const leaderId = (): string | null => raft.position().leaderId;
  const override = new LeaderOverride({ selfId: options.raft.id, nowMs: () => time.nowMs, metrics, logger, leaderId });
  const evidence: Evidence = buildEvidence(dependencies, {
    mayPost: () => !control.isStopped,
    mayAct: () => !control.isStopped && !control.isPaused && !control.isOverridden,
    builds: () => control.isSequencing,
    changed: () => health.tellPeers(),
  });
  const views = (): NodeView[] => {
    const own = { isHealthy: health.verdict?.isHealthy ?? null, head: health.head, word: evidence.word };
    return nodeViews(raft.status(), own, chain.tip(), time.nowMs);
  };
  const operatorWord = new OperatorWord({
    ...{ chain: view, views, nowMs: () => time.nowMs },
    isForbidden: (block) => isForbidden(evidence.proofAgainst(block)),
  });
  const judged = judgementOf(evidence, operatorWord, {
    isCommitting: () => commits.inFlight > 0,
    startTroubleChanged: () => health.tellPeers(),
    whoStandsWhere: () => standingsText(views()),
  });
  const control: ControlLoop = buildControl(dependencies, judged);
  const health: NodeHealth = buildHealth(dependencies, control, evidence);
  // One that starts paused is known as such from its first word on.
  health.tellPeers();
  const commits: PayloadCommits = buildCommits(dependencies, control, judged, {
    offered: () => watchdog.offered(),
    unable: (envelope) => evidence.clientIsUnable(envelope),
    committed: (isValidated) => {
      health.monitor.blockCommitted(Number(dependencies.chain.tip()?.timestamp ?? 0n));
      watchdog.committed();
      control.seals.committed(isValidated);
    },
  });
  const watchdog = buildWatchdog(dependencies, control, health, evidence, commits);
  const shutdown = new Shutdown({
    options,
    logger,
    control,
    commits,
    outbox,
    transferTarget: () => dependencies.transferTarget(),
    procedures: withOrderEvents(dependencies.procedures, ports.events),
    status: () => raft.status(),
    tick: () => raft.handle({ kind: 'tick' }, time.nowMs),
    tellPeers: () => health.tellPeers(),
  });
  const voterVerdicts = new VoterVerdicts({
    hasEngine: options.hasEngine,
    call: (request, then) => outbox.call(request, then),
    answer: (inboundId, verdict, message) => raft.answerVerdict(inboundId, verdict, message),
  });
  const parts = { evidence, operatorWord, override, control, health, watchdog, commits, voterVerdicts, shutdown };
  const components = { ...dependencies, ...parts, nodeViews: views };
  return { ...components, service: new RpcService(components) };
}

/** What is known against committed blocks and of the own node, by what nodes show and operators say. */
function judgementOf(
  evidence: Evidence,
  operatorWord: OperatorWord,
  host: Pick<Judgement, 'isCommitting' | 'startTroubleChanged' | 'whoStandsWhere'>,
): Judgement {
  return {
    ...host,
    proofAgainst: (block) => {
      const said = operatorWord.proof(block);
      if (said?.kind === 'proved') return said;
      // A word that does not count any more takes nothing from what nodes prove.
      const shown = evidence.proofAgainst(block);
      return shown.kind === 'proved' ? shown : (said ?? shown);
    },
    refusal: (block) => operatorWord.refusal(block) ?? evidence.refusal(block),
    clientRefuses: ({ hash }) => evidence.word.refuses?.hash === hash,
    isLeft: (block) => evidence.isLeft(block),
    hasLeft: () => evidence.hasLeft,
    needsSync: () => evidence.needsSync,
    isHeldUp: () => evidence.isHeldUp,
    isForgetting: () => evidence.isForgetting,
    isRefilling: () => evidence.isRefilling,
    lookNow: () => evidence.lookNow(),
    lookedAtMs: () => evidence.lookedAtMs,
  };
}
