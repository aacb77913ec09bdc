import { testPlace } from '#tests/support/files/s3-bucket.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { killUploads, type Outcome } from '#tests/attack/uploads/kill-uploads.ts'

/** Maximum number of kills; fewer if the time runs out. */
const KILLS = { short: 4, long: 100 }
const WITHIN_MS = { short: 8000, long: 8 * 60_000 }

/**
 * Uploads to a server that is killed at random times, including while it completes an upload. Rows are counted in the
 * SQLite file; S3 is a test server, or the one in `TEST_S3`.
 */
export const killedUploadTrials: readonly Trial[] = ['SQLite + disk', 'SQLite + S3'].map((environment) => ({
  name: 'killed uploads',
  environment,
  run: (run) => killAndLook(environment.endsWith('S3'), run),
}))

async function killAndLook(isInS3: boolean, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const form = isLong ? 'long' : 'short'
  const s3 = isInS3 ? await testPlace() : undefined
  const outcome = await killUploads({ kills: KILLS[form], withinMs: WITHIN_MS[form], seed, s3, say })
  const { kills, whileSending, whileEnding, files, wrongFiles, lostByTheSweep } = outcome
  say(`${files} files; ${whileSending} interrupted while sending and ${whileEnding} while completing`)
  return { faults: kills, compared: files, lost: wrongFiles + lostByTheSweep, broken: brokenIn(outcome) }
}

/** One sentence for each count that is not zero. */
function brokenIn({ lostBytes, wrongFiles, seenUnfinished, lostByTheSweep, leftAfterSweep: left }: Outcome) {
  const { blobs, staged, halves, rows } = left
  const counts = {
    'acknowledged bytes were lost': lostBytes,
    'completed files differ from what was sent': wrongFiles,
    'incomplete files were readable': seenUnfinished,
    'files of records were deleted by the sweep': lostByTheSweep,
    'blobs, staged and partial files were left by the sweep': blobs.length + staged.length + halves.length,
    'rows were left by the sweep': rows.uploads + rows.assets + rows.blobs,
  }
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
}
