import { parametersIn } from '@dateline/versions';
import type { ApiRequest } from '../read-request.ts';

export interface FolderRoute {
  /** As the router writes it. */
  url: string;
  /** Gives the parameters of a request the names that its contract has for them. */
  nameParams(request: ApiRequest): void;
}

/** The route of a path. A router knows few characters in names of parameters, and a contract any. */
export function routeOf(path: string): FolderRoute {
  const names = parametersIn(path);
  const isKnown = names.every((name) => /^\w+$/.test(name));
  const routed = new Map(names.map((name, index) => [name, isKnown ? name : `p${index}`]));
  const url = path.split('/').map((segment) => segmentOf(segment, routed));
  return {
    url: url.join('/'),
    nameParams(request) {
      if (isKnown) return;
      const sent = request.params;
      request.params = Object.fromEntries([...routed].map(([name, as]) => [name, sent[as] ?? '']));
    },
  };
}

function segmentOf(segment: string, routed: ReadonlyMap<string, string>): string {
  // Beside text, the router must be told where a value ends; a colon in the text is written twice.
  const end = /^\{[^{}]*\}$/.test(segment) ? '' : '(.+?)';
  const parts = segment.split(/\{([^{}]*)\}/);
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(':', '::') : `:${routed.get(part)}${end}`))
    .join('');
}
