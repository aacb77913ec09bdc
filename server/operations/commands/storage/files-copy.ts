import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { copyBlobs } from '#server/platform/storage/copy-blobs.ts'
import { openStorage, describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { claimCopy } from '#server/files/ownership/claim-storage.ts'
import type { Command } from '#server/operations/commands/command.ts'

const USAGE = '--to s3|disk'

function targetIn(args: readonly string[]): 's3' | 'disk' {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const isSure = positionals.length === 0 && Object.keys(values).length === 1
  if (isSure && (values['to'] === 's3' || values['to'] === 'disk')) return values['to']
  throw new Problem('invalid-request', `Usage: npm run dossier -- files:copy ${USAGE}`)
}

/** Blobs between two progress lines. */
const PROGRESS_INTERVAL = 1000

export const filesCopyCommand: Command = {
  name: 'files:copy',
  usage: USAGE,
  summary: 'copy files from disk to the configured S3 store, or back; existing files are skipped',
  run: async ({ args, config, database, say }) => {
    const target = targetIn(args)
    if (config.s3 === undefined) {
      throw new Problem('invalid-request', 'Set S3_ENDPOINT and the other S3 settings first.')
    }
    const noStorage = await describeStorageStartError(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const report = (error: unknown): void => say(String(error))
    const disk = await openStorage({ ...config, s3: undefined }, report)
    const store = await openStorage(config, report)
    const [from, to] = target === 's3' ? [disk, store] : [store, disk]
    const other = await claimCopy({ database, blobs: to })
    if (other !== undefined) {
      throw new Problem(
        'not-ready',
        `The target storage belongs to another workspace, ${other}. Nothing was copied. Choose another folder, bucket or S3_PREFIX.`,
      )
    }
    const folder = join(config.dataFolder, 'copying')
    const done = await copyBlobs({ from, to, folder }, ({ copied, there }) => {
      if ((copied + there) % PROGRESS_INTERVAL === 0) say(`${copied} copied, ${there} skipped …`)
    })
    say(`Copied ${done.copied} files (${done.bytes} bytes), skipped ${done.there} existing files. Nothing was deleted.`)
    return 0
  },
}
