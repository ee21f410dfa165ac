/** The store: whose it is, whether it is whole, whether its volume has room, and that its membership fits the flags. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isExportUnfinished, isImportUnfinished, kindOf, layoutOf, type Layout } from '#conductor/migration/layout';
import { databaseFileName } from '#conductor/adapters/sqlite/directory';
import { restoreAdvice } from '#conductor/adapters/sqlite/store-error';
import { messageOf } from '#conductor/core/errors';
import type { Server } from '#conductor/core/raft/types';
import { flag, text } from '#conductor/host/settings/config-values';
import { damageIn } from '../store/refusal.ts';
import { freeBytes, megabytes } from '../store/disk-space.ts';
import { describeReport } from '../store/store-command.ts';
import { identityOfFile, type StoreReport } from '../store/store-report.ts';
import { inspect, verifyDirectory } from '../store/survey.ts';
import { counted, findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';
import { ownAddress, type Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('store');
/** Room that a store should have to grow, bytes: some hundred large blocks. */
const roomBytesMin = 1024 * 1024 * 1024;
/** Below this a full disk is near, and with it the end of the conductor. */
const roomBytesLeast = 128 * 1024 * 1024;
/** Data of entries that is read to look whether it is sound: some seconds. */
const readBytesMax = 1024 * 1024 * 1024;

export interface StoreExamination {
  readonly findings: readonly Finding[];
  /** The membership in a store that nobody runs on; empty otherwise. */
  readonly members: readonly Server[];
}

/** Never rejects. */
export async function checkStore({ values, config }: Pick<Subject, 'values' | 'config'>): Promise<StoreExamination> {
  const only = (finding: Finding): StoreExamination => ({ findings: [finding], members: [] });
  if (values === null) return only(unseen('without flags it is not known where the store is'));
  const [storage, serverId] = [text(values, 'raft.storage.dir'), text(values, 'raft.server.id')];
  if (storage === '' || serverId === '') return only(unseen('--raft.storage.dir or --raft.server.id is missing'));
  const directory = resolve(storage, serverId);
  try {
    const room = checkRoom(directory);
    const found = await look(directory, serverId);
    const advertised = config?.consensus?.advertised ?? '';
    const expected = { serverId, advertised, address: ownAddress(config) };
    const findings = [
      ...room,
      ...(found.isThere && flag(values, 'raft.bootstrap') ? [stillBootstraps] : []),
      ...found.findings,
      ...(found.report === null ? [] : checkReport(found.report, expected)),
    ];
    return { findings, members: found.report?.membership.configuration.servers ?? [] };
  } catch (error) {
    const damage = damageIn(error);
    if (damage !== null) return only(bad(damage, restoreAdvice));
    return only(bad(messageOf(error), 'No conductor would start on this directory as it is.'));
  }
}

const stillBootstraps = warning(
  '--raft.bootstrap is still set: after a lost disk a restart would found a second cluster',
  'Drop it.',
  flagLink('raft.bootstrap'),
);

interface Found {
  readonly isThere: boolean;
  readonly report: StoreReport | null;
  readonly findings: readonly Finding[];
}

async function look(directory: string, serverId: string): Promise<Found> {
  const database = join(directory, databaseFileName);
  const isThere = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const layout = layoutOf(directory);
  const unfinished = isThere ? null : unfinishedMove(layout);
  if (unfinished !== null) return { isThere: false, report: null, findings: [unfinished] };
  const isGo = kindOf(layout.log) === 'bolt';
  const others = isThere || isGo ? [] : storesIn(dirname(directory));
  if (!isThere && !isGo)
    return {
      isThere: false,
      report: null,
      findings: [
        ...(others.length > 0
          ? [
              warning(
                `${dirname(directory)} holds the store of ${others.join(', ')}, and none of ${serverId}`,
                'Look whether --raft.server.id is right: each server has a machine of its own.',
                flagLink('raft.server.id'),
              ),
            ]
          : []),
        unseen(
          `${directory} holds no store yet: this server begins as a new one, and waits until a cluster adds it`,
          'Nothing, if it is new. If it was a member before, look for its disk: it must not be started without.',
        ),
      ],
    };
  if (isThere && identityOfFile(database) !== serverId)
    return {
      isThere,
      report: null,
      findings: [
        bad(
          `${database} belongs to server ${identityOfFile(database)}, not ${serverId}`,
          'Fix --raft.server.id, or point it at its own directory.',
          flagLink('raft.server.id'),
        ),
      ],
    };
  try {
    const { report, kind } = await inspect(directory);
    const says = kind === 'store' ? await soundness(directory) : "op-conductor's store can be read whole";
    const advice = kind === 'store' ? '' : 'conductor takes it over when it is started on it.';
    return {
      isThere: true,
      report,
      findings: [good(`${says}: ${describeReport(report)}`, advice, kind === 'store' ? '' : sectionLink('replacing'))],
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'running' && code !== 'in-use') throw error;
    const findings =
      code === 'in-use'
        ? [unseen('op-conductor is running on its store, so it cannot be looked into', 'Stop it to have it checked.')]
        : [
            unseen(
              'a conductor is running on the store, so it is not read through here',
              '`conductor backup` reads it through beside the conductor.',
            ),
          ];
    return { isThere: true, report: null, findings };
  }
}

/** An import or an export that was interrupted where neither program may start; null where there is none. */
function unfinishedMove(layout: Layout): Finding | null {
  const { directory } = layout;
  if (isExportUnfinished(layout))
    return warning(
      `an export of ${directory} was interrupted`,
      'Run `conductor export` again.',
      sectionLink('replacing'),
    );
  if (isImportUnfinished(layout))
    return warning(
      `an import of ${directory} was interrupted`,
      'A start finishes it, and so does `conductor import`. Move nothing away.',
      sectionLink('replacing'),
    );
  return null;
}

/** What was read of a store of ours and is as it was written; rejects with Refusal or StoreError where something is not. */
async function soundness(directory: string): Promise<string> {
  const { read, of } = await verifyDirectory(directory, { bytesMax: readBytesMax });
  const entries = read === of ? 'all its entries' : `the heads of its entries and the newest ${read} of ${of} whole`;
  return `the store opens, its votes and ${entries} are sound`;
}

/** Ids of the servers that have a store in a storage directory. */
function storesIn(storage: string): string[] {
  if (!existsSync(storage)) return [];
  return readdirSync(storage).filter((id) => existsSync(join(storage, id, databaseFileName)));
}

function checkRoom(directory: string): Finding[] {
  let volume = directory;
  while (!existsSync(volume) && volume !== dirname(volume)) volume = dirname(volume);
  const size = statSync(join(directory, databaseFileName), { throwIfNoEntry: false })?.size ?? 0;
  const free = freeBytes(volume);
  const says = `${megabytes(free)} are free on the volume of ${volume}${size > 0 ? `, the store has ${megabytes(size)}` : ''}`;
  const advice = 'Make room: a conductor whose disk is full ends, and somebody else has to lead.';
  if (free < roomBytesLeast) return [bad(says, advice)];
  return [free < Math.max(roomBytesMin, size / 2) ? warning(says, advice) : good(says)];
}

interface Expected {
  readonly serverId: string;
  /** '' for the bound address. */
  readonly advertised: string;
  readonly address: string | null;
}

function* checkReport({ membership, isRecovering, lastIndex }: StoreReport, expected: Expected): Generator<Finding> {
  const { servers } = membership.configuration;
  const self = servers.find(({ id }) => id === expected.serverId);
  const isTaken = servers.some(({ id, address }) => id !== expected.serverId && address === expected.address);
  // That the address is another server's is a finding of the names.
  if (servers.length > 0 && self === undefined && !isTaken)
    yield warning(
      `the last membership in the store does not name ${expected.serverId}: it was removed, or never added`,
      `If it should be a member: conductor join ${expected.serverId}`,
    );
  else if (self !== undefined && expected.advertised !== '' && self.address !== expected.advertised)
    yield bad(
      `the members know this server as ${self.address}, and it advertises ${expected.advertised}`,
      'Advertise the address of the membership, or let the server leave and join again.',
      flagLink('consensus.advertised'),
    );
  else if (self !== undefined)
    yield good(
      `the membership in the store has ${counted(servers.length, 'server')} and names this one at ${self.address}`,
    );
  if (isRecovering && lastIndex > 0)
    yield warning(
      'the store was restored or is new: the server does not vote until a leader has brought it up to date',
      'Nothing, while a leader is there.',
    );
}
