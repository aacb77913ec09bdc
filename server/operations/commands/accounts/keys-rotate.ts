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
  throw new Problem('invalid-request', `Call it like this: npm run dossier -- keys:rotate ${USAGE}`)
}

/** Replaces the secret that signs, beside a running server. */
export const keysRotateCommand: Command = {
  name: 'keys:rotate',
  usage: USAGE,
  summary: 'sign with a new key; --at-once: older keys no longer count; --sign-out: end all sessions',
  run: async (needs) => {
    const { args, say } = needs
    const { atOnce, endsSessions } = parseCall(args)
    const { keyId, endedSessions } = await rotateSigningKey(needs, { atOnce, endsSessions })
    say(`The key ${keyId} signs from now on; a running server takes it up within a second.`)
    say(
      atOnce
        ? 'Everything that older keys signed is invalid, refresh tokens too.'
        : `What the key before it signed counts for 24 more hours${endsSessions ? '.' : '; open sessions continue.'}`,
    )
    if (endsSessions) say(`${endedSessions} sessions were ended; everyone signs in again. API tokens still work.`)
    return 0
  },
}
