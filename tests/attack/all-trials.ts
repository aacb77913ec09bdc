import { outageTrials } from './faults/dependency-outage.ts'
import { backupTrials } from './faults/backups.ts'
import { clockTrials } from './faults/clock.ts'
import { clusterTrials } from './cluster/cluster.ts'
import { diskTrials } from './faults/full-disk.ts'
import { addressTrials } from './hostile/ssrf-addresses.ts'
import { bombTrials } from './hostile/decompression-bombs.ts'
import { connectionTrials } from './hostile/slow-connections.ts'
import { requestTrials } from './hostile/malformed-requests.ts'
import { scriptTrials } from './hostile/script-injection.ts'
import { textTrials } from './hostile/hostile-texts.ts'
import { killTrials } from './faults/kills.ts'
import { killedUploadTrials } from './faults/killed-uploads.ts'
import { loadTrials } from './load/load.ts'
import type { Trial } from './trial.ts'

/** All trials, in the order of the results table. */
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
