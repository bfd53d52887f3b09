import { createServer, type Server } from 'node:http';
import { StartupError } from '../../errors/startup-error.ts';

export interface ListenAddress {
  host: string;
  port: number;
  /** The setting to name when the port is not available. */
  portSetting: string;
}

/** Listens on a port. If it cannot, the error says what to do. */
export async function listen(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, address)));
    server.listen({ host, port }, resolve);
  });
}

/** Throws what `listen` would throw if the port is not available, and leaves the port free. */
export async function refuseTakenPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}

function listenError(error: NodeJS.ErrnoException, { host, port, portSetting }: ListenAddress): StartupError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is in use by another program; stop that program, or set ${portSetting} to a free port.`,
      );
    case 'EACCES':
      return new StartupError(
        `Port ${port} may not be opened by this user; set ${portSetting} to a port above 1023.`,
      );
    default:
      return new StartupError(
        `DATELINE_HOST: cannot listen on ${host} (${error.code ?? error.message}); set it to an address of this machine, such as 127.0.0.1.`,
      );
  }
}
