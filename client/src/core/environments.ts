/** Where a service listens that was told nothing else. Whoever publishes this library writes their own addresses here. */
export const environments = {
  production: 'http://127.0.0.1:4000',
  sandbox: 'http://127.0.0.1:4001',
} as const;
