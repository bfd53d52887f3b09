import type { IncomingMessage } from 'node:http';
import type { Build } from '../../api/build.ts';
import type { ApiFolder } from '../../api/folder/read-api-folder.ts';
import { errorResponse } from '../../errors/error-body.ts';
import { createMock } from '../../http/api/forwarding/mock/create-mock.ts';
import { createStatedAnswers } from '../../http/api/forwarding/mock/stated-answers.ts';
import type { RequestHandler } from '../../http/edge/edge-state.ts';
import { requestContext } from '../../http/edge/request-context.ts';
import { present } from '../../kernel/presence.ts';
import type { VersionLife } from '../../releases/version-life.ts';
import { isForMachines } from '../../telemetry/request-lines.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';
import type { EnvironmentData } from '../open-data.ts';
import type { OwnEdgeOptions } from '../open-edge.ts';
import type { AnswersAt } from '../run-environment.ts';
import { type ApiGeneration, createGeneration } from './api-generation.ts';
import { callFacts } from './call-facts.ts';
import type { CallTraces } from './call-trace.ts';
import type { DevReport } from './dev-report.ts';
import { type ReadEdit, warningsOf } from './read-edit.ts';

/** The API as it was edited, one state after the other: a request stays with the one that it began with. */
export interface Generations {
  current(): ApiGeneration;
  /** Also before there is one. */
  life(): VersionLife;
  /** Of what is served. */
  digest(): string;
  /** What the edge asks of the API: of that which is served. */
  edgeOptions: OwnEdgeOptions;
  handle: RequestHandler;
  begin(data: EnvironmentData, at: AnswersAt, edit: ReadEdit): Promise<void>;
  /** From now on requests are answered by this edit. Returns warnings about it. */
  replace(edit: ReadEdit): Promise<string[]>;
}

export interface GenerationsParts {
  runtime: EnvironmentRuntime;
  traces: CallTraces;
  buildOf(folder: ApiFolder): Build;
  mocks: boolean;
  report: DevReport;
}

export function createGenerations(parts: GenerationsParts): Generations {
  const { runtime, traces, report, buildOf, mocks } = parts;
  let served: { generation: ApiGeneration; digest: string } | null = null;
  let make: ((edit: ReadEdit) => Promise<ApiGeneration>) | null = null;
  const current = (): ApiGeneration => present(served, 'what is served').generation;
  const answering = new WeakMap<IncomingMessage, ApiGeneration>();

  async function replace(edit: ReadEdit): Promise<string[]> {
    const generation = await present(make, 'the data')(edit);
    const former = served?.generation;
    served = { generation, digest: edit.digest };
    former?.retire();
    return warningsOf(edit);
  }

  return {
    current,
    life: () => served?.generation.life ?? runtime.life,
    digest: () => served?.digest ?? '',
    edgeOptions: {
      writeError: (error, request) => served?.generation.writeError(error, request) ?? errorResponse(error),
      isApiPath: (path) => (served?.generation.build ?? runtime.build).isApiPath(path),
      recordUnknownCaller: (failed) => served?.generation.recordUnknownCaller(failed),
      onEnd(request, response) {
        answering.get(request)?.ended(request);
        if (!isForMachines(requestContext(request).route))
          report.called(callFacts(request, response, traces.of(request)));
      },
    },
    handle(request, response) {
      const generation = current();
      answering.set(request, generation);
      traces.follow(request, () => generation.handle(request, response));
    },
    async begin(data, at, edit) {
      make = ({ read }) => {
        const mock = mocks ? createMock(createStatedAnswers(read.upstreamApi)) : null;
        const hooks = { between: traces.between(mock), onUnknown: traces.onUnknown };
        return createGeneration({ runtime, data, folder: read, build: buildOf(read), at: { ...at, hooks } });
      };
      await replace(edit);
      const { metrics, closing } = runtime;
      metrics.watchPool(() => data.environment.database.poolUse());
      metrics.watchRelease(() => current().life.versions.lifecycle());
      closing.stopThen(() => current().close());
    },
    replace,
  };
}
