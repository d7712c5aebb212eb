import type { JailedProcess } from '@murmur/containment';
import type { DriverDescription, LaunchPlan } from './contract.js';
import type { HarnessInput } from './harness-input.js';
import { interruptGraceMs } from './limits.js';
import type { Clock, TurnRecord } from './types.js';
import { ticks } from './wake.js';

/** How an interrupt went out: `delivered` false means that only a kill is left; `note` says why, where that is news. */
interface Delivery {
  readonly delivered: boolean;
  readonly note: string | null;
}

export interface InterruptOptions {
  readonly method: DriverDescription['interrupt'];
  readonly plan: LaunchPlan;
  readonly input: HarnessInput;
  readonly child: JailedProcess;
  readonly clock: Clock;
  readonly record: (record: TurnRecord) => void;
  readonly note: (text: string) => void;
  /** Called when it is known whether the interrupt went out. */
  readonly onSettled: () => void;
}

/** The one graceful interrupt a run can get; what it does not achieve, a kill does. */
export interface Interrupt {
  start(): void;
  /** When the harness must be done; null while no interrupt was started. */
  readonly deadline: number | null;
  /** Writes down what became of the interrupt as soon as that is known. False when only a kill is left. */
  settle(): boolean;
  /** The run is over: writes down what became of the interrupt, if that is not done yet. */
  conclude(): void;
}

const lost = (note: string | null): Delivery => ({ delivered: false, note });

async function deliver({ method, plan, input, child }: InterruptOptions): Promise<Delivery> {
  switch (method) {
    case 'unsupported':
      return lost(null);
    case 'signal-int':
      return child.signal('SIGINT')
        ? { delivered: true, note: null }
        : lost('the interrupt could not be sent as a signal; the harness is killed');
    case 'stdin-message':
      if (plan.interruptStdin === null)
        return lost('the launch plan holds no interrupt message for stdin; the harness is killed');
      if (!input.open)
        return lost('stdin is closed, so no interrupt message can be sent; the harness is killed');
      return (await input.write(plan.interruptStdin))
        ? { delivered: true, note: null }
        : lost('the harness no longer reads its stdin, so the interrupt message was lost; it is killed');
  }
}

export function createInterrupt(options: InterruptOptions): Interrupt {
  let deadline: number | null = null;
  let delivery: Delivery | null = null;
  let recorded = false;

  function write({ delivered, note }: Delivery): void {
    recorded = true;
    if (note !== null) options.note(note);
    const payload = { method: options.method, delivered, grace_ms: delivered ? interruptGraceMs : 0 };
    options.record({ eventType: 'harness_interrupt', payload });
  }
  return {
    start() {
      deadline = ticks(options.clock) + interruptGraceMs;
      // Not awaited: the harness may have to be read before it reads on, and its grace runs meanwhile.
      void deliver(options).then((result) => {
        delivery = result;
        options.onSettled();
      });
    },
    get deadline() {
      return deadline;
    },
    settle() {
      if (delivery === null || recorded) return true;
      write(delivery);
      return delivery.delivered;
    },
    conclude() {
      if (deadline === null || recorded) return;
      write(delivery ?? lost('the harness ended before the interrupt message could be handed over'));
    },
  };
}
