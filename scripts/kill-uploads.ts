/**
 * `node scripts/kill-uploads.ts [--kills 200] [--storage disk|s3] [--seed n] [--minutes n]`: uploads to a server that is killed at random
 * moments, then what is left of them. S3 is a Ceph on loopback where one is installed, or the store that TEST_S3 names, or a
 * small one of the tests.
 */
import { parseArgs } from 'node:util'
import { killUploads, type Outcome } from '../tests/faults/kill-uploads.ts'
import { missingPrograms, startRgw } from '../tests/support/rgw.ts'
import { testPlace } from '../tests/support/s3-place.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    storage: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
  },
})
const wanted = Number(values.kills ?? 200)
const withinMs = Number(values.minutes ?? 24 * 60) * 60_000
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))

/** What has to be nought. */
const faultsIn = ({ lostBytes, wrongFiles, seenUnfinished, lostByTheSweep, leftAfterSweep: left }: Outcome) => ({
  'acknowledged bytes lost': lostBytes,
  'finished files that are not what was sent': wrongFiles,
  'unfinished files that could be read': seenUnfinished,
  'files of records that the sweep took': lostByTheSweep,
  'blobs, staged files and halves left after the sweep': left.blobs.length + left.staged.length + left.halves.length,
  'rows left after the sweep': left.rows.uploads + left.rows.assets + left.rows.blobs,
})

async function storeAddress(): Promise<{ name: string; stop: () => Promise<void> }> {
  const nothing = async (): Promise<void> => undefined
  if (process.env['TEST_S3'] !== undefined) return { name: 'the S3 store of TEST_S3', stop: nothing }
  const missing = await missingPrograms()
  if (missing.length > 0) return { name: 'a small S3 store of the tests', stop: nothing }
  const rgw = await startRgw()
  process.env['TEST_S3'] = rgw.address
  return { name: 'Ceph RGW', stop: rgw.stop }
}

async function main(): Promise<number> {
  const isInS3 = values.storage === 's3'
  const store = isInS3 ? await storeAddress() : { name: 'disk', stop: async () => undefined }
  const startedAt = performance.now()
  try {
    const s3 = isInS3 ? await testPlace() : undefined
    const outcome = await killUploads({ kills: wanted, seed, s3, withinMs, say: (line) => console.log(line) })
    const faults = faultsIn(outcome)
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    const { kills, whileSending, whileEnding, files } = outcome
    const counts = { kills, 'while a file was sent': whileSending, 'while a file was finished': whileEnding, files }
    const lines = Object.entries({ ...counts, ...faults }).map(([name, count]) => `| ${name} | ${count} |`)
    console.log(`\n| ${store.name}, seed ${seed}, ${minutes} min | |\n|---|---:|\n${lines.join('\n')}`)
    const isBroken = Object.values(faults).some((count) => count !== 0)
    if (isBroken) console.log(JSON.stringify(outcome.leftAfterSweep))
    return isBroken ? 1 : 0
  } finally {
    await store.stop()
  }
}

process.exitCode = await main()
