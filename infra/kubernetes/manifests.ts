/** What the tests ask rendered manifests about: the pod of a sequencer, what it refers to, and what its containers are told. */
import type { Resource } from './render.ts';

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Pod {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: unknown;
  readonly automountServiceAccountToken: boolean;
  readonly topologySpreadConstraints: readonly unknown[];
  readonly affinity?: {
    readonly podAntiAffinity: { readonly requiredDuringSchedulingIgnoredDuringExecution: readonly unknown[] };
  };
  readonly volumes: readonly {
    readonly secret?: { readonly secretName: string };
    readonly configMap?: { readonly name: string };
  }[];
}

interface StatefulSet {
  readonly replicas: number;
  readonly serviceName: string;
  readonly podManagementPolicy: string;
  readonly persistentVolumeClaimRetentionPolicy: unknown;
  readonly selector: unknown;
  readonly template: { readonly spec: Pod };
  readonly volumeClaimTemplates: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly accessModes: readonly string[] };
  }[];
}

/** The one StatefulSet, and what is in its pods. */
export function sequencerOf(resources: readonly Resource[]): {
  readonly set: StatefulSet;
  readonly pod: Pod;
  readonly containers: readonly Container[];
  readonly conductor: Container;
} {
  const set = resources.find(({ kind }) => kind === 'StatefulSet')!['spec'] as StatefulSet;
  const pod = set.template.spec;
  return { set, pod, containers: pod.containers, conductor: pod.containers.find(({ name }) => name === 'conductor')! };
}

/** Names of the Secrets and ConfigMaps that a pod cannot start without. */
export function referencesOf(pod: Pod): {
  readonly secrets: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
} {
  const secrets = new Set(pod.volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName])));
  const settings = new Set(pod.volumes.flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name])));
  for (const { env, envFrom } of [...pod.initContainers, ...pod.containers]) {
    for (const { configMapRef } of envFrom ?? []) settings.add(configMapRef.name);
    for (const { valueFrom } of env ?? []) {
      if (valueFrom?.secretKeyRef !== undefined) secrets.add(valueFrom.secretKeyRef.name);
      if (valueFrom?.configMapKeyRef !== undefined) settings.add(valueFrom.configMapKeyRef.name);
    }
  }
  return { secrets, settings };
}

/**
 * The variables of a container in the first pod, as the kubelet makes them: whole maps first, then single ones, in
 * which $(NAME) is replaced; secrets are empty, and names of our own that are not for the conductor are left out.
 */
export function variablesOf(container: Container, resources: readonly Resource[]): Record<string, string> {
  const dataOf = (name: string): Record<string, string> =>
    (resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.['data'] ?? {}) as never;
  const namespace = resources.find(({ kind }) => kind === 'StatefulSet')!.metadata.namespace ?? '';
  const fields: Readonly<Record<string, string>> = { 'metadata.name': 'sequencer-0', 'metadata.namespace': namespace };
  const variables: Record<string, string> = {};
  /** Only these are replaced in others: single ones that stand before. */
  const earlier: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) Object.assign(variables, dataOf(configMapRef.name));
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { fieldRef, configMapKeyRef } = valueFrom ?? {};
    if (value !== undefined)
      earlier[name] = value.replace(/\$\((\w+)\)/g, (whole, key: string) => earlier[key] ?? whole);
    else if (fieldRef !== undefined) earlier[name] = fields[fieldRef.fieldPath] ?? '';
    else if (configMapKeyRef !== undefined) earlier[name] = dataOf(configMapKeyRef.name)[configMapKeyRef.key] ?? '';
    else earlier[name] = '';
  }
  return { ...variables, ...earlier };
}
