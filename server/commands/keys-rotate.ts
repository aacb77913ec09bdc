import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import { rotateKeys } from '#server/keys/key-ring.ts'
import type { Command } from './command.ts'

const USAGE = '[--at-once]'

function isAtOnce(args: readonly string[]): boolean {
  const options = { 'at-once': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false })
  const { 'at-once': atOnce = false, ...strange } = values
  if (typeof atOnce === 'boolean' && positionals.length === 0 && Object.keys(strange).length === 0) return atOnce
  throw new Problem('invalid-request', `Call it like this: npm run dossier -- keys:rotate ${USAGE}`)
}

/** Replaces the secret that signs, beside a running server. */
export const keysRotateCommand: Command = {
  name: 'keys:rotate',
  usage: USAGE,
  summary: 'sign with a new secret; --at-once: what the old one signed counts no more',
  run: async ({ args, config, database, clock, newId, say }) => {
    const atOnce = isAtOnce(args)
    const { id } = rotateKeys(config.dataFolder, clock(), { atOnce })
    const entry = {
      kind: 'keys-rotated',
      userId: null,
      address: '',
      details: { key: id, atOnce: String(atOnce) },
    } as const
    await database.write(({ db }) => writeAudit(db, { clock, newId }, entry))
    say(`The key ${id} signs from now on; a running server takes it up within a second.`)
    say(
      atOnce
        ? 'What older keys signed counts no more. Nobody is signed out: browsers and programs get new tokens by themselves.'
        : 'What the key before it signed counts for 24 more hours.',
    )
    return 0
  },
}
