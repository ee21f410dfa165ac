/**
 * The overlays as the cluster would get them, held against the API's schemas and against what the program itself
 * says: flags, ports, paths of probes, deadlines, and the arithmetic of quorums.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probes } from '#conductor/adapters/http/pages';
import { initialMembersOf } from '#conductor/host/bootstrap-once';
import { drainDeadlineMs } from '#conductor/host/host';
import { flagTable, type FlagName } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { runConfig } from '#conductor/host/settings/flags-config';
import { parseFlags } from '#conductor/cli/flags-parse';
import { executionNetworkOf } from './execution-network.ts';
import { referencesOf, sequencerOf, variablesOf, type Container } from './manifests.ts';
import { renderKustomization } from './render.ts';
import { shapeProblems } from './shape.ts';

/** Seconds that the node and its execution client need after the conductor, at least. */
const NODE_SECONDS = 60;
/** Seconds a conductor may wait for its node before it listens. */
const START_SECONDS = 300;

const overlays = readdirSync(join(import.meta.dirname, 'overlays'));
const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const fallbackOf = (name: FlagName): number => Number(flagTable.find((flag) => flag.name === name)!.fallback);

describe.each(overlays)('overlay %s', (overlay) => {
  const resources = renderKustomization(join(import.meta.dirname, 'overlays', overlay));
  const { set, pod, containers, conductor } = sequencerOf(resources);
  const one = <Spec>(kind: string): Spec => {
    const found = resources.filter((resource) => resource.kind === kind);
    expect(found, kind).toHaveLength(1);
    return found[0]!['spec'] as Spec;
  };
  const variables = (): Record<string, string> => variablesOf(conductor, resources);

  it('is all known to the API', () => {
    expect(resources.flatMap((resource) => shapeProblems(resource))).toStrictEqual([]);
  });

  it('holds no secret, and asks only for ones that the README tells how to make', () => {
    expect(resources.filter(({ kind }) => kind === 'Secret')).toStrictEqual([]);
    expect(JSON.stringify(resources)).not.toMatch(/0x[0-9a-f]{64}|BEGIN [A-Z ]*PRIVATE KEY/);
    const { secrets, settings } = referencesOf(pod);
    for (const name of secrets) expect(readme).toContain(`| \`${name}\` |`);
    const here = resources.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    expect([...settings].filter((name) => !here.includes(name))).toStrictEqual([]);
  });

  it('gives the conductor a configuration that it accepts, and no variable that it does not know', () => {
    const parsed = parseFlags([], variables(), []);
    expect(parsed.unknownVariables).toStrictEqual([]);
    expect(() => runConfig(parsed.values)).not.toThrow();
  });

  it('lets pods be ended in order: the conductor first, while its node still answers', () => {
    expect(containers.map(({ name }) => name)).toStrictEqual(['conductor']);
    const sidecars = pod.initContainers.map(({ name }) => name);
    expect(sidecars.indexOf('op-reth')).toBeLessThan(sidecars.indexOf('op-node'));
    for (const { name, restartPolicy } of pod.initContainers) expect(restartPolicy, name).toBe('Always');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainDeadlineMs / 1000 + NODE_SECONDS);
  });

  it('probes paths that exist: readiness could take over, liveness a follower passes', async () => {
    const { startupProbe, readinessProbe, livenessProbe } = conductor;
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toStrictEqual([
      { path: '/healthz', port: 'rpc' },
      { path: '/readyz', port: 'rpc' },
      { path: '/healthz', port: 'rpc' },
    ]);
    expect(startupProbe!.periodSeconds * startupProbe!.failureThreshold).toBeGreaterThan(START_SECONDS);
    const follower = probes({ version: '', readiness: () => 'no leader is known' });
    const ask = async (path: string): Promise<number> => (await follower.request(path)).status;
    expect([await ask('/healthz'), await ask('/readyz')]).toStrictEqual([200, 503]);
  });

  it('names the ports that the program listens on, each once in a pod', () => {
    const named = (name: string): number | undefined =>
      conductor.ports.find((port) => port.name === name)?.containerPort;
    expect([named('rpc'), named('raft'), named('metrics')]).toStrictEqual([
      fallbackOf('rpc.port'),
      fallbackOf('consensus.port'),
      fallbackOf('metrics.port'),
    ]);
    expect(Number(variables()['OP_CONDUCTOR_CONSENSUS_PORT'])).toBe(named('raft'));
    const isRelaying = envNameOf('rollupboost.ws-url') in variables();
    expect(named('flashblocks')).toBe(isRelaying ? fallbackOf('websocket.server-port') : undefined);
    const all = [...pod.initContainers, ...containers].flatMap((container: Container) =>
      (container.ports ?? []).map(({ containerPort, protocol }) => `${containerPort}/${protocol}`),
    );
    expect(all.filter((port, at) => all.indexOf(port) < at)).toStrictEqual([]);
  });

  it('advertises names that the headless service gives, before a pod is ready', () => {
    const service = one<{
      clusterIP: string;
      publishNotReadyAddresses: boolean;
      ports: { name: string; port: number }[];
    }>('Service');
    expect(service).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(set.serviceName).toBe('sequencers');
    const servers = Array.from({ length: set.replicas }, (_none, ordinal) => `sequencer-${ordinal}`);
    const rpc = service.ports.find(({ name }) => name === 'rpc')!.port;
    expect(initialMembersOf(variables()['OP_CONDUCTOR_RAFT_BOOTSTRAP_ONCE']!, 'sequencer-0')).toStrictEqual(
      servers.map((id) => ({ id, url: `http://${id}.${set.serviceName}:${rpc}` })),
    );
    expect(variables()['OP_CONDUCTOR_RAFT_SERVER_ID']).toBe('sequencer-0');
    const namespace = resources.find(({ kind }) => kind === 'StatefulSet')!.metadata.namespace!;
    expect(variables()['OP_CONDUCTOR_CONSENSUS_ADVERTISED']).toBe(
      `sequencer-0.${set.serviceName}.${namespace}.svc:${fallbackOf('consensus.port')}`,
    );
  });

  it('founds a cluster by nothing but the guarded setting', () => {
    expect(variables()).not.toHaveProperty('OP_CONDUCTOR_RAFT_BOOTSTRAP');
    expect(conductor.args ?? []).toStrictEqual([]);
  });

  it('never loses a majority to a drain, nor its logs to a deletion', () => {
    const budget = one<{ maxUnavailable: number; unhealthyPodEvictionPolicy: string; selector: unknown }>(
      'PodDisruptionBudget',
    );
    const majority = Math.floor(set.replicas / 2) + 1;
    expect(set.replicas - budget.maxUnavailable).toBeGreaterThanOrEqual(majority);
    expect(budget.unhealthyPodEvictionPolicy).toBe('IfHealthyBudget');
    expect(budget.selector).toStrictEqual(set.selector);
    expect(set.podManagementPolicy).toBe('Parallel');
    expect(set.persistentVolumeClaimRetentionPolicy).toStrictEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
    const storage = conductor.volumeMounts.find(
      ({ mountPath }) => mountPath === variables()['OP_CONDUCTOR_RAFT_STORAGE_DIR'],
    );
    expect(set.volumeClaimTemplates.map(({ metadata }) => metadata.name)).toContain(storage?.name);
    const modes = new Set(set.volumeClaimTemplates.flatMap(({ spec }) => spec.accessModes));
    expect([...modes]).toStrictEqual([overlay === 'development' ? 'ReadWriteOnce' : 'ReadWriteOncePod']);
  });

  it('spreads servers over machines and zones', () => {
    const [spread] = pod.topologySpreadConstraints;
    expect(spread).toMatchObject({ topologyKey: 'topology.kubernetes.io/zone', labelSelector: set.selector });
    const apart = pod.affinity?.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    if (overlay === 'development') return expect(apart).toBeUndefined();
    expect(apart).toStrictEqual([{ topologyKey: 'kubernetes.io/hostname', labelSelector: set.selector }]);
    expect(spread).toMatchObject({ whenUnsatisfiable: 'DoNotSchedule', minDomains: set.replicas });
  });

  it('runs nothing as root, with no capability and a root that cannot be written', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { name, securityContext } of [...pod.initContainers, ...containers]) {
      expect(securityContext, name).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('keeps raft among the sequencers, and JSON-RPC for those that may call', () => {
    const policy = one<{ podSelector: unknown; policyTypes: string[]; ingress: Ingress[] }>('NetworkPolicy');
    expect(policy.podSelector).toStrictEqual(set.selector);
    expect(policy.policyTypes).toContain('Ingress');
    const sourcesOf = (port: string): unknown[] =>
      policy.ingress
        .filter(({ ports }) => ports.some((one) => one.port === port))
        .flatMap(({ from }) => from ?? ['all']);
    expect(sourcesOf('raft')).toStrictEqual([{ podSelector: set.selector }]);
    expect(sourcesOf('rpc')).toHaveLength(2);
    expect(sourcesOf('rpc')).not.toContain('all');
    // Names of ports of sidecars are not resolved by every network (kubernetes#125285, calico#8881, kube-ovn#4994).
    const named = containers.flatMap(({ ports }) => ports.map(({ name, protocol }) => `${name}/${protocol}`));
    const numbered = pod.initContainers.flatMap(({ ports }) =>
      (ports ?? []).map(({ containerPort, protocol }) => `${containerPort}/${protocol}`),
    );
    const used = policy.ingress.flatMap(({ ports }) => ports.map(({ port, protocol }) => `${port}/${protocol}`));
    expect(used.filter((port) => ![...named, ...numbered].includes(port))).toStrictEqual([]);
    expect(numbered.filter((port) => !used.includes(port))).toStrictEqual([]);
  });

  it('names one chain for all, each program by the name that it knows', () => {
    const chain = resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'chain')!['data'];
    const { network, 'execution-network': executionNetwork } = chain as Record<string, string>;
    expect(executionNetwork).toBe(executionNetworkOf(network!));
    const client = pod.initContainers.find(({ name }) => name === 'op-reth')!;
    const node = pod.initContainers.find(({ name }) => name === 'op-node')!;
    expect(client.args).toContain('--chain=$(CHAIN)');
    expect([
      variablesOf(client, resources)['CHAIN'],
      variablesOf(node, resources)['OP_NODE_NETWORK'],
      variables()['OP_CONDUCTOR_NETWORK'],
    ]).toStrictEqual([executionNetwork, network, network]);
  });

  it('lets op-node start sequencing only when its conductor says so', () => {
    const node = variablesOf(
      pod.initContainers.find(({ name }) => name === 'op-node')!,
      resources,
    );
    expect(node).toMatchObject({
      OP_NODE_SEQUENCER_ENABLED: 'true',
      OP_NODE_SEQUENCER_STOPPED: 'true',
      OP_NODE_CONDUCTOR_ENABLED: 'true',
      OP_NODE_CONDUCTOR_RPC: `http://127.0.0.1:${fallbackOf('rpc.port')}`,
      OP_NODE_RPC_ENABLE_ADMIN: 'true',
    });
    expect(node).not.toHaveProperty('OP_NODE_RPC_ADMIN_STATE');
    expect(variables()['OP_CONDUCTOR_NODE_RPC']).toBe(`http://127.0.0.1:${node['OP_NODE_RPC_PORT']}`);
  });

  it('lets the execution client itself judge blocks, by the secret that it and op-node have, mounted in all three', () => {
    const secret = variables()['OP_CONDUCTOR_EXECUTION_JWT_SECRET']!;
    const client = pod.initContainers.find(({ name }) => name === 'op-reth')!;
    expect(client.args).toContain(`--authrpc.jwtsecret=${secret}`);
    const port = new URL(variables()['OP_CONDUCTOR_EXECUTION_ENGINE_RPC']!).port;
    expect(client.args).toContain(`--authrpc.port=${port}`);
    for (const name of ['op-reth', 'op-node', 'conductor']) {
      const { volumeMounts } = [...pod.initContainers, ...containers].find((container) => container.name === name)!;
      const mount = volumeMounts.find(({ mountPath }) => secret.startsWith(`${mountPath}/`));
      expect(mount, name).toMatchObject({ name: 'engine', readOnly: true });
    }
  });

  it('asks the clients of a majority about a block: op-reth executes none that it built itself', () => {
    expect(runConfig(parseFlags([], variables(), []).values).validation).toBe('quorum');
  });

  it('opens admin methods behind tokens only, but on a developer’s machine', () => {
    const isOpen = variables()['OP_CONDUCTOR_RPC_ENABLE_ADMIN'] === 'true';
    const tokens = variables()['OP_CONDUCTOR_RPC_AUTH_TOKENS_FILE'] ?? '';
    expect(isOpen && tokens === '').toBe(overlay === 'development');
    const isEncrypted = 'OP_CONDUCTOR_CONSENSUS_TLS_CA' in variables();
    expect(isEncrypted).toBe(overlay !== 'development');
    for (const file of [tokens, variables()['OP_CONDUCTOR_CONSENSUS_TLS_KEY'] ?? ''].filter((path) => path !== '')) {
      expect(
        conductor.volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)),
        file,
      ).toBe(true);
    }
  });
});

interface Ingress {
  readonly from?: readonly unknown[];
  readonly ports: readonly { readonly port: string | number; readonly protocol: string }[];
}

describe('the overlays', () => {
  it('are a developer’s, a production’s, and one with an outside builder', () => {
    expect(overlays.toSorted()).toStrictEqual(['development', 'flashblocks', 'production']);
  });
});
