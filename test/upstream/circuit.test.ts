import { describe, expect, it } from 'vitest';
import { type Circuit, createCircuit, type Verdict } from '../../src/upstream/circuit.ts';
import { createTestClock } from '../support/service/test-clock.ts';

const SETTINGS = { failuresMax: 3, windowMs: 10_000, openMs: 5_000 };

function start() {
  const clock = createTestClock();
  const turns: boolean[] = [];
  const circuit = createCircuit({ ...SETTINGS, clock, onTurn: (isOpen) => void turns.push(isOpen) });
  return { clock, turns, circuit };
}

/** A call that is let through, and ends with this verdict when it is told to. */
function letThrough(circuit: Circuit, client = 'client-1'): (verdict: Verdict) => void {
  const entry = circuit.enter(client);
  if (entry.isRefused) throw new Error('the call was refused');
  return entry.conclude;
}

const end = (circuit: Circuit, ...verdicts: Verdict[]): void => {
  for (const verdict of verdicts) letThrough(circuit)(verdict);
};

describe('the circuit', () => {
  it('opens after so many failures in a row, and says how long to wait', () => {
    const { circuit, clock, turns } = start();
    end(circuit, 'failed', 'failed');
    expect([circuit.isOpen(), circuit.refuses()]).toEqual([false, false]);
    end(circuit, 'failed');
    expect([circuit.isOpen(), circuit.refuses(), turns]).toEqual([true, true, [true]]);
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 5 });
    clock.advanceSeconds(3.5);
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 2 });
    clock.advanceSeconds(1.4);
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 1 });
  });

  it('stays closed where an answer came between failures, or where they lie too far apart', () => {
    const { circuit, clock } = start();
    end(circuit, 'failed', 'failed', 'answered', 'failed', 'failed');
    expect(circuit.isOpen()).toBe(false);
    clock.advanceSeconds(10);
    end(circuit, 'failed', 'failed');
    expect(circuit.isOpen()).toBe(false);
  });

  it('stays closed for what one caller can cause: broken answers, and leaving', () => {
    const { circuit } = start();
    end(circuit, ...new Array<Verdict>(10).fill('unclear'), ...new Array<Verdict>(10).fill('left'));
    expect(circuit.isOpen()).toBe(false);
  });

  it('[outside2 8] [folder 39] counts what one client got no answer to once, however often, and what has no connection each time', () => {
    const { circuit, clock } = start();
    const unanswered = (client: string): void => letThrough(circuit, client)('unanswered');
    for (let times = 0; times < 100; times += 1) unanswered('client-1');
    unanswered('client-2');
    for (let times = 0; times < 100; times += 1) unanswered('client-1');
    expect(circuit.isOpen()).toBe(false);
    unanswered('client-3');
    expect(circuit.isOpen()).toBe(true);
    clock.advanceSeconds(5);
    end(circuit, 'answered', 'failed', 'failed', 'failed');
    expect(circuit.isOpen()).toBe(true);
  });

  it('forgets a client whose last failure lies too far back', () => {
    const { circuit, clock } = start();
    letThrough(circuit, 'client-1')('unanswered');
    clock.advanceSeconds(10);
    for (const client of ['client-2', 'client-3']) letThrough(circuit, client)('unanswered');
    expect(circuit.isOpen()).toBe(false);
    letThrough(circuit, 'client-4')('unanswered');
    expect(circuit.isOpen()).toBe(true);
  });

  it('lets one call through when its time is over, and closes if that is answered', () => {
    const { circuit, clock, turns } = start();
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(5);
    // Not refused, so that a balancer that asks sends the call that finds out.
    expect([circuit.isOpen(), circuit.refuses()]).toEqual([true, false]);
    const probe = letThrough(circuit);
    expect(circuit.refuses()).toBe(true);
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 1 });
    probe('answered');
    expect([circuit.isOpen(), circuit.enter('client-1').isRefused, turns]).toEqual([
      false,
      false,
      [true, false],
    ]);
    end(circuit, 'failed', 'failed');
    expect(circuit.isOpen()).toBe(false);
  });

  it.each(['failed', 'unanswered', 'unclear'] as const)('stays open after a probe that %s', (verdict) => {
    const { circuit, clock, turns } = start();
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(5);
    end(circuit, verdict);
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 5 });
    expect(turns).toEqual([true]);
  });

  it('lets the next call try at once where the caller of a probe has left', () => {
    const { circuit, clock } = start();
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(5);
    end(circuit, 'left');
    expect(circuit.isOpen()).toBe(true);
    end(circuit, 'answered');
    expect(circuit.isOpen()).toBe(false);
  });

  it('is closed by a late answer, and not kept open by a late failure', () => {
    const { circuit, clock } = start();
    const [answered, failed] = [letThrough(circuit), letThrough(circuit)];
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(4);
    failed('failed');
    expect(circuit.enter('client-1')).toEqual({ isRefused: true, waitSeconds: 1 });
    clock.advanceSeconds(1);
    const probe = letThrough(circuit);
    answered('answered');
    expect(circuit.isOpen()).toBe(false);
    // The probe of a time that is over is a call like others.
    probe('failed');
    expect(circuit.isOpen()).toBe(false);
  });

  it('takes no other failure for that of its probe', () => {
    const { circuit, clock } = start();
    const late = letThrough(circuit);
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(5);
    const probe = letThrough(circuit);
    late('failed');
    probe('left');
    expect(circuit.enter('client-1').isRefused).toBe(false);
  });

  it('does not stay open for longer where the clock is set back', () => {
    const { circuit, clock } = start();
    end(circuit, 'failed', 'failed', 'failed');
    clock.advanceSeconds(-3_600);
    expect(circuit.enter('client-1').isRefused).toBe(false);
  });
});
