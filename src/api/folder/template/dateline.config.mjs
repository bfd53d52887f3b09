// Your API, as Dateline serves it. See README.md.
export default {
  title: 'Orders',
  upstream: {
    // Your server. It answers the newest version only; a call of the sandbox never reaches production's.
    production: process.env.ORDERS_UPSTREAM ?? 'http://127.0.0.1:7100',
    sandbox: process.env.ORDERS_SANDBOX_UPSTREAM ?? 'http://127.0.0.1:7101',
    // Who the tokens are for that your server gets. It refuses those for anybody else.
    audience: 'https://orders.example',
  },
  // What a token may be allowed to do, with the words that people read before they allow it.
  scopes: {
    'orders:read': { consent: 'See orders' },
    'orders:write': { consent: 'Place and cancel orders' },
    'orders:refund': { consent: 'Pay back orders' },
  },
  // Operations and webhooks that need no token, by their ids: none, unless you list them.
  open: [],
};
