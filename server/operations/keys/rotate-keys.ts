import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { CommandDeps } from '#server/operations/commands/command.ts'
import { clearPending, keyIdsIn, type PendingRotation, readKeyFile } from '#server/platform/crypto/key-file.ts'
import { openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { findKeyFault, recordKeyIds, assertSameKeys } from './verify-keys.ts'
import { endAllOpenSessions, isRotationLogged, saveRecordedKeyIds, usersSealedWithOthers } from './store.ts'

type Deps = Pick<CommandDeps, 'config' | 'database' | 'clock' | 'newId'>

/** Puts a new key in front, beside a running server; answers its id and how many sessions were ended. */
export async function rotateSigningKey(
  needs: Deps,
  pending: PendingRotation,
): Promise<{ readonly keyId: string; readonly endedSessions: number }> {
  const { config, database, clock } = needs
  await assertSameKeys(config, database)
  const { id: keyId } = rotateKeys(config.dataFolder, clock(), { atOnce: pending.atOnce, pending })
  return { keyId, endedSessions: await finishRotations(needs) }
}

/**
 * Tells the database what it has still to know of rotations: the file is written first, and the process may end before the
 * rest is done. To be called at every start; answers how many sessions were ended.
 */
export async function finishRotations(needs: Deps): Promise<number> {
  const { dataFolder } = needs.config
  if (!Array.isArray(keyIdsIn(dataFolder))) return 0
  let ended = 0
  for (const { id, pending } of readKeyFile(dataFolder)
    .filter((key) => key.pending !== undefined)
    .reverse()) {
    if (pending !== undefined) ended += await applyRotation(needs, id, pending)
    clearPending(dataFolder, id)
  }
  return ended
}

/** Does nothing where another process has told it. */
const applyRotation = (needs: Deps, keyId: string, { atOnce, endsSessions }: PendingRotation): Promise<number> =>
  needs.database.write(
    async (transaction) => {
      if (await isRotationLogged(transaction.db, keyId)) return 0
      await recordKeyIds(needs.config, transaction)
      const ended = endsSessions ? await endAllOpenSessions(transaction, 'keys-replaced', needs.clock()) : 0
      const details = { key: keyId, atOnce: String(atOnce), ended: String(ended) }
      await writeAudit(transaction.db, needs, { kind: 'keys-rotated', userId: null, address: '', details })
      return ended
    },
    { alone: 'keys' },
  )

/** What accepting the loss of keys led to. */
export type KeyReset = {
  readonly keyId: string
  readonly endedSessions: number
  /** Who cannot use their authenticator app any more, by email address. */
  readonly withoutAuthenticator: readonly string[]
}

/** Accepts that the keys of the database are lost: goes on with those in the file, or new ones, and ends all sessions. */
export async function resetKeys(needs: Deps): Promise<KeyReset> {
  const { config, database, clock } = needs
  const { dataFolder } = config
  if ((await findKeyFault(config, database.read)) === undefined) {
    throw keyProblem(`The keys in ${dataFolder} match the database. Use keys:rotate to replace them.`)
  }
  if (keyIdsIn(dataFolder) === 'unreadable') {
    throw keyProblem(`keys.json in ${dataFolder} can't be read. Move it to another folder, then run keys:reset again.`)
  }
  if (await database.hasOthers()) {
    throw keyProblem('Another server uses this database with its own keys. Stop it first, or use its data folder.')
  }
  const keyId = openKeyRing(dataFolder, { clock }).current.id
  return database.write(async (transaction) => {
    const endedSessions = await endAllOpenSessions(transaction, 'keys-lost', clock())
    const found = keyIdsIn(dataFolder)
    const ids = Array.isArray(found) ? found : [keyId]
    const withoutAuthenticator = await usersSealedWithOthers(transaction.db, ids)
    await saveRecordedKeyIds(transaction, ids)
    const details = { key: keyId, lost: 'true', ended: String(endedSessions) }
    await writeAudit(transaction.db, needs, { kind: 'keys-rotated', userId: null, address: '', details })
    return { keyId, endedSessions, withoutAuthenticator }
  })
}

const keyProblem = (why: string): Problem => new Problem('not-ready', `${why} Nothing was changed.`)
