import { onTestFinished } from 'vitest';
import { postgresDatabases } from '../database/databases.ts';
import { startTcpProxy, type TcpProxy } from '../database/tcp-proxy.ts';
import { homeTime } from './build-versions.ts';
import { type RunningTestService, startTestServiceOn } from './test-service.ts';

export interface ProxiedService {
  running: RunningTestService;
  /** Between the service and its database. */
  proxy: TcpProxy;
}

/** For one test: a service that gives a request up after a second, with a connection to PostgreSQL to disturb. */
export async function startProxiedService(
  parts: Parameters<typeof startTestServiceOn>[3] = {},
): Promise<ProxiedService> {
  let proxy: TcpProxy | undefined;
  const databases = await postgresDatabases(async (url) => {
    proxy = await startTcpProxy(url);
    return proxy.url;
  });
  const settings = { DATELINE_REQUEST_SECONDS: '1' };
  const running = await startTestServiceOn(databases, settings, homeTime, parts);
  const between = proxy as TcpProxy;
  onTestFinished(async () => {
    await between.resume();
    await running.stop();
    await between.close();
  });
  return { running, proxy: between };
}
