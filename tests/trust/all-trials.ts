import { outageTrials } from './away.ts'
import { backupTrials } from './backups.ts'
import { clockTrials } from './clock.ts'
import { clusterTrials } from './cluster.ts'
import { diskTrials } from './disk.ts'
import { addressTrials } from './hostile/addresses.ts'
import { bombTrials } from './hostile/bombs.ts'
import { connectionTrials } from './hostile/connections.ts'
import { requestTrials } from './hostile/requests.ts'
import { scriptTrials } from './hostile/scripts.ts'
import { textTrials } from './hostile/texts.ts'
import { killTrials } from './kills.ts'
import { killedUploadTrials } from './killed-uploads.ts'
import { loadTrials } from './load/load.ts'
import type { Trial } from './trial.ts'

/** Every trial there is, in the order of the table. */
export const TRIALS: readonly Trial[] = [
  ...killTrials,
  ...killedUploadTrials,
  ...outageTrials,
  ...diskTrials,
  ...clockTrials,
  ...clusterTrials,
  ...backupTrials,
  ...loadTrials,
  ...requestTrials,
  ...textTrials,
  ...addressTrials,
  ...bombTrials,
  ...connectionTrials,
  ...scriptTrials,
]
