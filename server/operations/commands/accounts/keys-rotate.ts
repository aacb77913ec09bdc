import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { rotateSigningKey } from '#server/operations/keys/rotate-keys.ts'
import type { Command } from '#server/operations/commands/command.ts'

const USAGE = '[--at-once] [--sign-out]'

const OPTIONS = { 'at-once': { type: 'boolean' }, 'sign-out': { type: 'boolean' } } as const

/** `endsSessions`: with `--at-once` no session can go on, so all of them end. */
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

/** Replaces the secret that signs, beside a running server. */
export const keysRotateCommand: Command = {
  name: 'keys:rotate',
  usage: USAGE,
  summary: 'rotate the signing key; --at-once: reject older keys immediately; --sign-out: end all sessions',
  run: async (needs) => {
    const { args, say } = needs
    const { atOnce, endsSessions } = parseCall(args)
    const { keyId, endedSessions } = await rotateSigningKey(needs, { atOnce, endsSessions })
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
