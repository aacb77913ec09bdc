import { backupTrials } from './backups.ts'
import { killTrials } from './kills.ts'
import type { Trial } from './trial.ts'

/** Every trial there is, in the order of the table. */
export const TRIALS: readonly Trial[] = [...killTrials, ...backupTrials]
