// Loaded into a Node process (`node --import`) that is to run at another time: the same suite a quarter later, or the service
// that the documents show. The time still runs; a parent process may move it.
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? '0');
const RealDate = Date;
const realNow = RealDate.now;
const now = () => realNow() + shiftMs;

// A property like any other: who replaces it for a while, and puts it back, finds it as it was.
RealDate.now = now;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});

process.on('message', (message) => {
  if (message?.clockShiftMs === undefined) return;
  shiftMs = message.clockShiftMs;
  process.send(message);
});
// Whoever listens to its parent would wait for it for ever.
process.channel?.unref();
