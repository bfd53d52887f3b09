/** Where a service listens by default. Companies that publish this library write their own addresses here. */
export const environments = {
  production: 'http://127.0.0.1:4000',
  sandbox: 'http://127.0.0.1:4001',
} as const;
