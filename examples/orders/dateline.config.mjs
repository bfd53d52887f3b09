export default {
  title: 'Orders',
  upstream: {
    production: process.env.ORDERS_UPSTREAM ?? 'http://127.0.0.1:7100',
    sandbox: process.env.ORDERS_SANDBOX_UPSTREAM ?? 'http://127.0.0.1:7101',
    audience: 'https://orders.example',
  },
  scopes: {
    'orders:read': { consent: 'See orders' },
    'orders:write': { consent: 'Place and cancel orders' },
    'wishes:read': { consent: 'See your wish list', organization: false },
  },
  open: ['shop:open_hours'],
  brand: { name: 'Orders & Co.', colour: '#7a2e0e' },
};
