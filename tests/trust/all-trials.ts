import { awayTrials } from './away.ts'
import { clockTrials } from './clock.ts'
import { diskTrials } from './disk.ts'
import { killTrials } from './kills.ts'
import { loadTrials } from './load/load.ts'
import type { Trial } from './trial.ts'

/** Every trial there is, in the order of the table. */
export const TRIALS: readonly Trial[] = [...killTrials, ...awayTrials, ...diskTrials, ...clockTrials, ...loadTrials]
