import { urlOf } from '../kernel/url.ts';

/**
 * An address in an answer of the upstream, as callers reach it: what is below the base address is below ours. Null for an address of
 * the upstream itself that no caller can reach, and nobody is told of.
 */
export type AddressTranslation = (address: string) => string | null;

/** `mount` is the prefix that callers know it below. */
export function createAddressTranslation(baseUrl: URL, mount = ''): AddressTranslation {
  const base = baseUrl.pathname.replace(/\/$/, '');
  return (address) => {
    const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
    // Relative to the request, wherever that was sent.
    if (!isAbsolute && !/^[/\\]/.test(address)) return address;
    const url = urlOf(address, baseUrl);
    if (url?.hostname !== baseUrl.hostname) return isAbsolute ? address : null;
    if (url.host !== baseUrl.host || !`${url.pathname}/`.startsWith(`${base}/`)) return null;
    return `${mount}${url.pathname.slice(base.length) || '/'}${url.search}${url.hash}`;
  };
}
