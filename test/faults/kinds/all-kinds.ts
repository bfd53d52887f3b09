import type { FaultKind } from './fault.ts';
import { operatorKinds } from './operator-kinds.ts';
import { outsideKinds } from './outside-kinds.ts';
import { primaryKinds } from './primary-kinds.ts';
import { processKinds } from './process-kinds.ts';
import { promotionKinds } from './promotion-kinds.ts';
import { standbyKinds } from './standby-kinds.ts';
import { statementKinds } from './statement-kinds.ts';
import { wayKinds } from './way-kinds.ts';

export const allKinds: readonly FaultKind[] = [
  ...processKinds,
  ...wayKinds,
  ...statementKinds,
  ...primaryKinds,
  ...standbyKinds,
  ...promotionKinds,
  ...outsideKinds,
  ...operatorKinds,
];
