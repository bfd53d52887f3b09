import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { stopLimitMs } from '../../src/cli/process-end.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const FOLDER = 'deploy/kubernetes';
// biome-ignore lint/suspicious/noExplicitAny: manifests have as many shapes as kinds; long runs check each against its own.
type Manifest = any;

const manifests: Manifest[] = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS()),
);
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string): Manifest => {
  const found = ofKind(kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
};

const settings: Record<string, string> = named('ConfigMap', 'dateline').data;
const deployments = ofKind('Deployment').map((deployment) => {
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  const own = Object.fromEntries((container.env ?? []).map((one: Manifest) => [one.name, one.value]));
  const ports = new Map<string, number>(
    container.ports.map((port: Manifest) => [port.name, port.containerPort]),
  );
  const config = loadConfig({ ...settings, ...own });
  return { name: deployment.metadata.name as string, deployment, pod, container, config, ports };
});
const each = deployments.map((found) => [found.name, found] as const);

describe('the manifests', () => {
  it('are nodes and workers, in a namespace of their own', () => {
    expect(deployments.map(({ name, container }) => [name, container.args])).toEqual([
      ['dateline-node', ['serve']],
      ['dateline-worker', ['worker']],
    ]);
    for (const { kind, metadata } of manifests)
      expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe('dateline');
  });

  it('let nodes serve and workers deliver', () => {
    expect(settings.DATELINE_DELIVER).toBe('off');
    expect(named('Deployment', 'dateline-worker').spec.replicas).toBeGreaterThan(1);
    expect(named('Deployment', 'dateline-node').spec.replicas).toBeGreaterThan(1);
  });

  it('hold no secret, and take them from one that is made apart', () => {
    expect(ofKind('Secret')).toEqual([]);
    for (const secret of ['DATABASE_URL', 'DATELINE_SECRET_KEY', 'DATELINE_OPERATOR_KEY'])
      expect(settings).not.toHaveProperty(secret);
    for (const { container } of deployments)
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'dateline' } },
        { secretRef: { name: 'dateline' } },
      ]);
  });

  it.each(each)('%s has more time to stop than it takes', (_name, { pod, config }) => {
    expect(config.drainMs).toBeGreaterThan(0);
    expect(pod.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(stopLimitMs(config));
  });

  it.each(each)('%s drains for longer than two failed probes take', (_name, { container, config }) => {
    const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe;
    expect(config.drainMs / 1000).toBeGreaterThan(periodSeconds * failureThreshold + timeoutSeconds);
  });

  it.each(each)('%s is asked for life at /healthz and for readiness at /readyz', (name, found) => {
    const { container, ports, config } = found;
    const { livenessProbe, readinessProbe, startupProbe } = container;
    expect([livenessProbe, startupProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
    ]);
    expect(readinessProbe.httpGet.path).toBe('/readyz');
    const listens = name === 'dateline-worker' ? config.workerPort : config.production.port;
    for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe])
      expect(ports.get(httpGet.port)).toBe(listens);
  });

  it.each(each)('%s is not root, cannot become it, and writes to no root file system', (_name, found) => {
    const { pod, container } = found;
    expect(pod.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.spec.securityContext.runAsUser).toBeGreaterThan(0);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.spec.automountServiceAccountToken).toBe(false);
    expect(pod.spec.hostNetwork).toBeUndefined();
  });

  it.each(each)(
    '%s gets no variables of services: DATELINE_PORT would be the address of one',
    (_name, { pod }) => {
      expect(pod.spec.enableServiceLinks).toBe(false);
    },
  );

  it.each(each)('%s keeps all but one where an administrator empties a machine', (name, found) => {
    const { spec } = named('PodDisruptionBudget', name);
    expect(spec.maxUnavailable).toBe(1);
    expect(spec.selector).toEqual(found.deployment.spec.selector);
    expect(found.pod.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(found.deployment.spec.replicas).toBeGreaterThan(1);
  });
});

describe('the port for operators', () => {
  const nodes = deployments.find(({ name }) => name === 'dateline-node');
  const { config, ports } = nodes as NonNullable<typeof nodes>;
  const forOperators = [config.production.operatorPort, config.sandbox.operatorPort];
  const portsOf = (service: Manifest): (number | undefined)[] =>
    service.spec.ports.map(({ targetPort }: Manifest) => ports.get(targetPort));

  it('is one of its own, for both environments', () => {
    expect(forOperators).toEqual([ports.get('operators'), ports.get('operators-sbx')]);
    expect(forOperators).not.toContain(null);
  });

  it('is not in the Service that the Ingress leads to', () => {
    expect(portsOf(named('Service', 'dateline'))).toEqual([config.production.port, config.sandbox.port]);
    const backends = ofKind('Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }: Manifest) => http.paths.map(({ backend }: Manifest) => backend.service)),
    );
    expect(backends.map(({ name, port }) => [name, port.name])).toEqual([
      ['dateline', 'production'],
      ['dateline', 'sandbox'],
    ]);
  });

  it('is reached from inside only', () => {
    expect(portsOf(named('Service', 'dateline-operators'))).toEqual(forOperators);
    for (const { spec } of ofKind('Service')) expect(spec.type ?? 'ClusterIP').toBe('ClusterIP');
    const [public_, inside] = named('NetworkPolicy', 'dateline').spec.ingress;
    expect(public_.ports.map(({ port }: Manifest) => port)).toEqual(['production', 'sandbox']);
    expect(inside.ports.map(({ port }: Manifest) => port)).toEqual(['operators', 'operators-sbx', 'probes']);
  });
});
