import { isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';

/** Counts failures by key in windows of fixed length, for this process. */
export interface Throttle {
  /** Seconds until the key may try again; null if it may now. */
  waitSeconds(key: string): number | null;
  fail(key: string): void;
  /** Number of failures counted now. */
  failures(key: string): number;
  /** Takes one failure back: an attempt that was counted in advance has succeeded. */
  forgive(key: string): void;
}

export interface ThrottleOptions {
  clock: Clock;
  failuresMax: number;
  windowSeconds: number;
  /** Keys that are remembered at once: when there are more, the oldest is forgotten. */
  keysMax: number;
}

interface Window {
  endsAtMs: number;
  failures: number;
}

export function createThrottle({ clock, failuresMax, windowSeconds, keysMax }: ThrottleOptions): Throttle {
  const windows = new Map<string, Window>();

  function current(key: string): Window | null {
    const window = windows.get(key);
    if (window && window.endsAtMs > clock.now().getTime()) return window;
    windows.delete(key);
    return null;
  }

  /** Windows are as long as each other, so those that begin first end first. */
  function forgetEnded(): void {
    const nowMs = clock.now().getTime();
    for (const [key, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs) return;
      windows.delete(key);
    }
  }

  return {
    waitSeconds(key) {
      const window = current(key);
      if (!window || window.failures < failuresMax) return null;
      return Math.max(1, Math.ceil((window.endsAtMs - clock.now().getTime()) / 1000));
    },
    failures: (key) => current(key)?.failures ?? 0,
    forgive(key) {
      const window = current(key);
      if (window) window.failures -= 1;
      if (window && window.failures < 1) windows.delete(key);
    },
    fail(key) {
      const window = current(key);
      if (window) {
        window.failures += 1;
        return;
      }
      forgetEnded();
      const [oldest] = windows.keys();
      if (windows.size >= keysMax && oldest !== undefined) windows.delete(oldest);
      windows.set(key, { endsAtMs: clock.now().getTime() + windowSeconds * 1000, failures: 1 });
    },
  };
}

/**
 * The key that failures are counted by: an IPv4 address, or an IPv6 network of 64 bits, the least that one customer
 * has, or of 48 bits, which one customer often has.
 */
export function networkOf(address: string, bits: 64 | 48 = 64): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = address.includes('::') ? [...left, ...zeros, ...right] : left;
  return `${groups
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${bits}`;
}
