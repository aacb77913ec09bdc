import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { openStorage, describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { adoptStorage } from '#server/files/ownership/claim-storage.ts'
import type { Command } from '#server/operations/commands/command.ts'

const USAGE = '--confirm'

function isConfirmed(args: readonly string[]): boolean {
  const options = { confirm: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false })
  return values['confirm'] === true && positionals.length === 0 && Object.keys(values).length === 1
}

/** Assigns the files in the storage to this database, when a start refuses them. */
export const storageAdoptCommand: Command = {
  name: 'storage:adopt',
  usage: USAGE,
  summary: 'assign the configured file storage to this database; deletes nothing',
  run: async (needs) => {
    const { args, config, say } = needs
    const noStorage = await describeStorageStartError(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const blobs = await openStorage(config, (error) => say(String(error)))
    if (!isConfirmed(args)) {
      const owner = await blobs.identity.read()
      throw new Problem(
        'invalid-request',
        `The storage belongs to ${owner === undefined ? 'no workspace yet' : `workspace ${owner}`}. After this, servers with another database that use it will refuse to start. No files are deleted. To continue, run: npm run dossier -- storage:adopt ${USAGE}`,
      )
    }
    const { before, id } = await adoptStorage({ ...needs, blobs })
    say(`The storage now belongs to workspace ${id}${before === undefined ? '' : `; it belonged to ${before}`}.`)
    say('No files were deleted. Run "npm run dossier -- doctor" to list files unknown to the database.')
    return 0
  },
}
