import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { exportCommand, importCommand } from './transfer.ts'
import { filesCopyCommand, storageAdoptCommand, storagePurgeCommand } from './storage.ts'
import { ownerCreateCommand } from './owner-create.ts'
import { restoreCommand } from './restore.ts'
import { Problem } from '#domain/shared/problem.ts'
import { resetKeys, rotateSigningKey } from '#server/operations/keys/rotate-keys.ts'
import { parseArgs } from 'node:util'
import { describeLastBackup } from '#server/operations/backup/last-backup.ts'
import { describeCause, isCorruption } from '#server/platform/database/sqlite/sqlite-errors.ts'
import { runDoctor } from '#server/operations/doctor/run-checks.ts'
import { findKeyFault } from '#server/operations/keys/verify-keys.ts'

const USAGE = '[--at-once] [--sign-out]'

const OPTIONS = { 'at-once': { type: 'boolean' }, 'sign-out': { type: 'boolean' } } as const

/** `--at-once` invalidates all sessions, so it implies ending them. */
function parseCall(args: readonly string[]): { readonly atOnce: boolean; readonly endsSessions: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const { 'at-once': atOnce = false, 'sign-out': signOut = false, ...strange } = values
  const areFlags = typeof atOnce === 'boolean' && typeof signOut === 'boolean'
  if (areFlags && positionals.length === 0 && Object.keys(strange).length === 0) {
    return { atOnce, endsSessions: atOnce || signOut }
  }
  throw new Problem('invalid-request', `Usage: npm run dossier -- keys:rotate ${USAGE}`)
}

const keysRotateCommand: Command = {
  name: 'keys:rotate',
  usage: USAGE,
  summary: 'rotate the signing key; --at-once: reject older keys immediately; --sign-out: end all sessions',
  run: async (deps) => {
    const { args, say } = deps
    const { atOnce, endsSessions } = parseCall(args)
    const { keyId, endedSessions } = await rotateSigningKey(deps, { atOnce, endsSessions })
    say(`Key ${keyId} is now the signing key. A running server uses it within a second.`)
    say(
      atOnce
        ? 'All tokens signed with older keys are invalid, including refresh tokens.'
        : `Tokens signed with the previous key stay valid for 24 hours${endsSessions ? '.' : '; open sessions continue.'}`,
    )
    if (endsSessions) say(`${endedSessions} sessions were ended; all users must sign in again. API tokens still work.`)
    return 0
  },
}

const keysResetCommand: Command = {
  name: 'keys:reset',
  usage: '',
  summary: 'recover from a lost keys.json: ends all sessions and lists secrets that can no longer be decrypted',
  run: async (deps) => {
    if (deps.args.length > 0) throw new Problem('invalid-request', 'Usage: npm run dossier -- keys:reset')
    const { keyId, endedSessions, withoutAuthenticator } = await resetKeys(deps)
    deps.say(`Key ${keyId} is now the signing key. ${endedSessions} sessions were ended; all users must sign in again.`)
    if (withoutAuthenticator.length === 0) return 0
    deps.say(
      'The authenticator secrets of these users can no longer be decrypted. They can sign in with a passkey or recovery code, or a user manager can remove their second factors; for an owner, use owner:create:',
    )
    for (const email of withoutAuthenticator) deps.say(`  ${email}`)
    return 0
  },
}

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check the data: database file, tables, records, change log, imports and files',
  run: async (deps) => {
    const keyFault = await findKeyFault(deps.config, deps.database.read).then(undefined, describeCause)
    deps.say(`${keyFault === undefined ? 'ok   ' : 'FAIL '}  Keys match the database`)
    if (keyFault !== undefined) deps.say(`         ${keyFault}`)
    const found = await runDoctor(deps)
    await describeLastBackup(deps.database, deps.clock()).then(deps.say, (error: unknown) => {
      if (!isCorruption(error)) throw error
    })
    return found === 0 && keyFault === undefined ? 0 : 1
  },
}

const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'run pending database migrations; the server also does this at startup',
  run: async ({ stepsTaken, say }) => {
    say(stepsTaken.length === 0 ? 'The database is up to date.' : `Migrations applied: ${stepsTaken.join(', ')}.`)
    return 0
  },
}

/** In the order shown in the help text. */
export const ALL_COMMANDS: readonly Command[] = [
  ownerCreateCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  filesCopyCommand,
  storageAdoptCommand,
  storagePurgeCommand,
  keysRotateCommand,
  keysResetCommand,
]
