import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { CommandDeps } from '#server/operations/commands/command.ts'
import { clearPending, keyIdsIn, type PendingRotation, readKeyFile } from '#server/platform/crypto/key-file.ts'
import { openKeyRing, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { findKeyFault, recordKeyIds, assertSameKeys } from './verify-keys.ts'
import { endAllOpenSessions, isRotationLogged, saveRecordedKeyIds, usersSealedWithOthers } from './store.ts'

type Deps = Pick<CommandDeps, 'config' | 'database' | 'clock' | 'newId'>

/** Adds a new signing key while the server is running; returns the key's ID and the number of ended sessions. */
export async function rotateSigningKey(
  deps: Deps,
  pending: PendingRotation,
): Promise<{ readonly keyId: string; readonly endedSessions: number }> {
  const { config, database, clock } = deps
  await assertSameKeys(config, database)
  const { id: keyId } = rotateKeys(config.dataFolder, clock(), { atOnce: pending.atOnce, pending })
  return { keyId, endedSessions: await finishRotations(deps) }
}

/** Completes interrupted key rotations at every start; returns the number of ended sessions. */
export async function finishRotations(deps: Deps): Promise<number> {
  const { dataFolder } = deps.config
  if (!Array.isArray(keyIdsIn(dataFolder))) return 0
  let ended = 0
  for (const { id, pending } of readKeyFile(dataFolder)
    .filter((key) => key.pending !== undefined)
    .reverse()) {
    if (pending !== undefined) ended += await applyRotation(deps, id, pending)
    clearPending(dataFolder, id)
  }
  return ended
}

/** Does nothing if another process has already applied the rotation. */
const applyRotation = (deps: Deps, keyId: string, { atOnce, endsSessions }: PendingRotation): Promise<number> =>
  deps.database.write(
    async (transaction) => {
      if (await isRotationLogged(transaction.db, keyId)) return 0
      await recordKeyIds(deps.config, transaction)
      const ended = endsSessions ? await endAllOpenSessions(transaction, 'keys-replaced', deps.clock()) : 0
      const details = { key: keyId, atOnce: String(atOnce), ended: String(ended) }
      await writeAudit(transaction.db, deps, { kind: 'keys-rotated', userId: null, address: '', details })
      return ended
    },
    { alone: 'keys' },
  )

export type KeyReset = {
  readonly keyId: string
  readonly endedSessions: number
  /** Emails of users who need to set up their authenticator app again. */
  readonly withoutAuthenticator: readonly string[]
}

/** Discards the database's lost keys: continues with the keys in the file, or with new keys, and ends all sessions. */
export async function resetKeys(deps: Deps): Promise<KeyReset> {
  const { config, database, clock } = deps
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
    await writeAudit(transaction.db, deps, { kind: 'keys-rotated', userId: null, address: '', details })
    return { keyId, endedSessions, withoutAuthenticator }
  })
}

const keyProblem = (why: string): Problem => new Problem('not-ready', `${why} Nothing was changed.`)
