export interface Packed {
  folder: string;
  name: string;
  version: string;
  tarball: string;
  files: string[];
}

export interface Installed {
  folder: string;
  env: NodeJS.ProcessEnv;
  dateline: string;
  readme: string;
}

interface Serving {
  pid: number;
  production: string;
  sandbox: string;
  stop(): Promise<number | null>;
}

interface Packing {
  publishedPackages(): Omit<Packed, 'tarball' | 'files'>[];
  pack(published: Omit<Packed, 'tarball' | 'files'>, target: string, options?: readonly string[]): Packed;
}

interface Installing {
  installInto(folder: string, tarballs: readonly string[], node?: string): Installed;
  serveInstalled(
    installed: Pick<Installed, 'folder' | 'env' | 'dateline'>,
    options?: { args?: readonly string[]; settings?: Readonly<Record<string, string>> },
  ): Promise<Serving>;
  tourScript(readme: string, service: { production: string; sandbox: string; quickstart?: string }): string;
  runScript(script: string, installed: Pick<Installed, 'folder' | 'env'>): Promise<string>;
}

/** What `npm run release` packs, installs and tries with. */
export const { publishedPackages, pack } = (await import(
  '../../../tools/release/packages.mjs' as string
)) as Packing;
export const { installInto, serveInstalled, tourScript, runScript } = (await import(
  '../../../tools/release/installed.mjs' as string
)) as Installing;
