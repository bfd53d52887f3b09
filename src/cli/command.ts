import type { EnvironmentName } from '../environments/environment.ts';
import type { OperatorApi } from './operator-api.ts';
import type { Output } from './output.ts';

export interface CommandOption {
  /** With a placeholder the option takes a value, without one it is a switch. */
  placeholder?: string;
  required?: true;
  description: string;
}

export interface CommandInput {
  env: NodeJS.ProcessEnv;
  environment: EnvironmentName;
  output: Output;
  /** The value of an option that the command declared as required. */
  required(option: string): string;
  optional(option: string): string | undefined;
  isSet(option: string): boolean;
  argument: string;
  /** Of the environment that the command line names, or of another one. */
  api(of?: EnvironmentName): OperatorApi;
}

/** One thing the command line can do. Help, parsing and checks all follow from this. */
export interface Command {
  /** `org create`, or a single word such as `serve`. */
  name: string;
  /** Still understood, and not in the help. */
  formerName?: string;
  description: string;
  /** The name of its one positional argument, where it has one. */
  argument?: string;
  /** It may be left out, where an option replaces it. */
  argumentOptional?: true;
  options?: Readonly<Record<string, CommandOption>>;
  examples: readonly string[];
  run(input: CommandInput): Promise<void>;
}

/** Posts to an action of what the argument names, such as `suspend` of an organization, and shows the answer. */
export function postTo(collection: string, action: string): Command['run'] {
  return async ({ api, output, argument }) =>
    output.item(await api().post(`/operator/${collection}/${encodeURIComponent(argument)}/${action}`));
}
