import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { isDarkEnough } from '../../config/brand.ts';
import { urlOf } from '../../kernel/url.ts';
import { CONFIG_FILE, CONFIG_MODULE, MODULE_EXTENSIONS } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { findModule } from './modules/find-module.ts';
import { importModule } from './modules/import-module.ts';

const closed = { additionalProperties: false };
const Words = Type.String({ minLength: 1, maxLength: 200 });
const Address = Type.String({ minLength: 1 });

/** Headers about the caller that an upstream gets if it asks for them. */
const FORWARDABLE = ['user-agent', 'x-forwarded-for'] as const;

/** Where the whole API lies: segments of letters, digits and a few signs. */
const MOUNT = '^(/(?!\\.\\.?(/|$))[A-Za-z0-9._~-]+)+$';

const Config = Type.Object(
  {
    title: Words,
    mount: Type.Optional(Type.String({ pattern: MOUNT, maxLength: 200 })),
    upstream: Type.Object(
      {
        production: Address,
        sandbox: Address,
        audience: Type.String({ minLength: 1, maxLength: 200 }),
        timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 300 })),
        connectionsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
        inFlightMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
        inFlightPerClientMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
        idleSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
        requestBytesMax: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 2 ** 30 })),
        readiness: Type.Optional(Type.Boolean()),
        forward: Type.Optional(Type.Array(Type.Enum(FORWARDABLE))),
      },
      closed,
    ),
    scopes: Type.Record(
      Type.String(),
      Type.Object({ consent: Words, organization: Type.Optional(Type.Boolean()) }, closed),
    ),
    security: Type.Optional(
      Type.Record(Type.String(), Type.Object({ scopes: Type.Array(Type.String()) }, closed)),
    ),
    open: Type.Optional(Type.Union([Type.Literal('*'), Type.Array(Type.String())])),
    unknownQuery: Type.Optional(Type.Enum(['ignore', 'refuse'])),
    readOnlyInRequests: Type.Optional(Type.Enum(['ignore', 'refuse'])),
    brand: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Words),
          colour: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
          logo: Type.Optional(Address),
        },
        closed,
      ),
    ),
  },
  closed,
);

const config = Compile(Config);

/** The configuration of a folder, checked. */
export type FolderConfig = Static<typeof Config>;

export async function readConfigFile(folder: string): Promise<FolderConfig> {
  const file = configFileOf(folder);
  if (file === null)
    throw refuse(CONFIG_FILE, `there is none in ${folder}; "dateline init <folder>" makes a folder`);
  const { default: made } = await importModule(folder, file);
  const problems = config.Check(made) ? meaningProblems(made) : shapeProblems(made);
  if (problems.length > 0) throw new FolderError(problems);
  return made as FolderConfig;
}

/** The configuration of a folder: of several extensions, one. */
export function configFileOf(folder: string): string | null {
  return findModule(folder, CONFIG_MODULE, MODULE_EXTENSIONS);
}

function shapeProblems(made: unknown): FolderProblem[] {
  if (typeof made !== 'object' || made === null)
    return [{ file: CONFIG_FILE, reason: 'it must export an object as its default' }];
  return config.Errors(made)[1].flatMap(({ keyword, instancePath, params, message }) => {
    const at = instancePath.slice(1).replaceAll('/', '.');
    const within = (name: string): string => (at === '' ? name : `${at}.${name}`);
    if (keyword === 'boolean') return [];
    if ('requiredProperties' in params)
      return params.requiredProperties.map((name) => wrong(within(name), 'it is missing'));
    if ('additionalProperties' in params)
      return params.additionalProperties.map((name) => wrong(within(name), 'this name is not known'));
    return [wrong(at, message)];
  });
}

const wrong = (path: string, reason: string): FolderProblem => ({ file: CONFIG_FILE, path, reason });

/** RFC 6749 §3.3 */
const SCOPE_NAME = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

function meaningProblems({ upstream, scopes, brand = {} }: FolderConfig): FolderProblem[] {
  const addresses = (['production', 'sandbox'] as const)
    .filter((name) => !isBaseAddress(upstream[name]))
    .map((name) =>
      wrong(`upstream.${name}`, 'it must be an http or https address, such as https://orders.internal'),
    );
  // A sandbox call never reaches the upstream of production.
  const shared = upstream.production === upstream.sandbox;
  const names = Object.keys(scopes)
    .filter((name) => !SCOPE_NAME.test(name))
    .map((name) =>
      wrong(
        `scopes.${name}`,
        'a scope is 1 to 200 characters of ASCII without spaces, quotes and backslashes (RFC 6749 §3.3)',
      ),
    );
  return [
    ...addresses,
    ...(shared
      ? [wrong('upstream.sandbox', 'it is the address of production; the sandbox needs one of its own')]
      : []),
    ...shareProblems(upstream),
    ...names,
    ...(brand.colour !== undefined && !isDarkEnough(brand.colour)
      ? [wrong('brand.colour', 'it must be dark enough for white text on it')]
      : []),
  ];
}

/** Where neither is set, `createUpstream` knows them. */
function shareProblems({
  inFlightMax = 256,
  inFlightPerClientMax = 1,
}: FolderConfig['upstream']): FolderProblem[] {
  if (inFlightPerClientMax <= inFlightMax) return [];
  const reason = `it is more than upstream.inFlightMax, which is ${inFlightMax}: all that may be in flight at once`;
  return [wrong('upstream.inFlightPerClientMax', reason)];
}

function isBaseAddress(text: string): boolean {
  const url = urlOf(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
}
