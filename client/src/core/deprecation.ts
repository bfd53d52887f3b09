import type { DeprecationNotice } from './types.ts';

type Report = (notice: DeprecationNotice) => void;

/** Reports the first notice only. */
export function once(report: Report): Report {
  let isDone = false;
  return (notice) => {
    if (isDone) return;
    isDone = true;
    report(notice);
  };
}

/** The end of a version, by the headers of its answers (RFC 9745, RFC 8594); null if it has none in sight. */
export function deprecationIn(apiVersion: string, headers: Headers): DeprecationNotice | null {
  const deprecation = headers.get('deprecation');
  if (deprecation === null) return null;
  const seconds = /^@(\d+)$/.exec(deprecation)?.[1];
  const sunset = headers.get('sunset');
  const sunsetAt = sunset === null ? null : dateOf(Date.parse(sunset));
  const end = sunsetAt ? ` and will be removed at ${sunsetAt.toISOString()}` : '';
  return {
    apiVersion,
    message: `Dateline API version ${apiVersion} is deprecated${end}. Import a newer version of the client.`,
    deprecatedAt: seconds === undefined ? null : dateOf(Number(seconds) * 1000),
    sunsetAt,
  };
}

function dateOf(ms: number): Date | null {
  return Number.isNaN(ms) ? null : new Date(ms);
}
