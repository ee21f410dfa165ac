/** The running conductor: whether it answers, which release it is, and how it stands. */
import { version } from '#conductor/cli/version';
import { printable } from '../printable.ts';
import { resultOf } from './asked.ts';
import { findingsOf, flagLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('conductor');

export function checkConductor({ conductor }: Subject): Finding[] {
  if (conductor.url === null) return [unseen('the URL of its RPC is not known')];
  if (conductor.why !== '')
    return [unseen(`it does not answer: ${conductor.why}`, 'Nothing, if it is not started yet.', flagLink('rpc.port'))];
  const findings: Finding[] = [];
  const running = resultOf(conductor, 'health_status');
  const name = typeof running === 'string' ? printable(running).slice(0, 100) : 'an unknown release';
  if (conductor.answers.get('conductor_leader')?.kind !== 'result')
    return [
      bad(
        `what answers at ${new URL(conductor.url).host} is no conductor`,
        'Look who has the port.',
        flagLink('rpc.port'),
      ),
    ];
  findings.push(
    name === version ? good(`it runs, ${name} as this tool`) : unseen(`it runs, ${name}, and this tool is ${version}`),
  );
  const { id } = (resultOf(conductor, 'conductor_leaderWithID') ?? {}) as { id?: unknown };
  const leads = resultOf(conductor, 'conductor_leader') === true;
  if (resultOf(conductor, 'conductor_leaderOverridden') === true)
    findings.push(
      warning(
        'its leadership is overridden: it answers that it leads, whoever does, and leaves its sequencer to the operator',
        'When the emergency is over, restart its op-node, which ends admin_overrideLeader there, then end it with conductor_overrideLeader [false].',
      ),
    );
  else if (leads) findings.push(good('it leads'));
  else if (typeof id === 'string' && id !== '') findings.push(good(`it follows ${printable(id)}`));
  else
    findings.push(bad('it knows no leader', 'Look at conductor status: is there a majority, and can it be reached?'));
  if (resultOf(conductor, 'conductor_stopped') === true)
    findings.push(
      bad(
        'it is stopped, so it starts and stops no sequencer',
        'conductor status says how it may be started again: with --paused, where it could start a second sequencer.',
      ),
    );
  else if (resultOf(conductor, 'conductor_paused') === true)
    findings.push(
      warning(
        'it is paused, so it starts and stops no sequencer',
        'When that is meant to end, conductor status says whether it may be resumed.',
      ),
    );
  if (resultOf(conductor, 'conductor_sequencerHealthy') === false)
    findings.push(bad('it calls its sequencer unhealthy', 'See op-node and execution client above.'));
  return findings;
}
