import { expect, test } from 'vitest'
import { killUploads } from '#tests/faults/kill-uploads.ts'
import { testPlace } from '#tests/support/s3-place.ts'

// Rows are counted in the file of SQLite, so it is not run beside PostgreSQL; at length: `node scripts/kill-uploads.ts`.
const KILLS = 5

test.each(['on disk', 'in S3'])(
  'a server killed again and again while files are sent and finished %s loses nothing, shows nothing half and leaves nothing behind',
  async (where) => {
    const seed = Math.floor(Math.random() * 1_000_000)
    const s3 = where === 'in S3' ? await testPlace() : undefined
    expect(await killUploads({ kills: KILLS, seed, s3 }), `seed ${seed}`).toMatchObject({
      kills: KILLS,
      lostBytes: 0,
      wrongFiles: 0,
      seenUnfinished: 0,
      lostByTheSweep: 0,
      leftAfterSweep: { blobs: [], staged: [], halves: [], rows: { uploads: 0, assets: 0, blobs: 0 } },
    })
  },
  300_000,
)
