import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { displayName } from '#api/account.ts'
import { Problem } from '#domain/shared/problem.ts'
import { ensureOwner } from '#server/identity/setup/ensure-owner.ts'
import type { Command } from '#server/operations/commands/command.ts'

const OPTIONS = { name: { type: 'string' }, password: { type: 'string' } } as const

const USAGE = '<email> [--name <name>] [--password <password>]'

const optionsSchema = z.strictObject({ email: z.email(), name: displayName, password: z.string().optional() })

function parseCall(args: readonly string[]): z.infer<typeof optionsSchema> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  const [email = '', ...more] = positionals
  const call = optionsSchema.safeParse({ email, name: email.split('@', 1)[0], ...values })
  if (call.success && more.length === 0) return call.data
  throw new Problem('invalid-request', `Usage: npm run dossier -- owner:create ${USAGE}`)
}

/** Omits characters that are easily confused when copied by hand. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** 118 bits of entropy. */
const generatePassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 6 }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(''),
  ).join('-')

export const ownerCreateCommand: Command = {
  name: 'owner:create',
  usage: USAGE,
  summary: 'create an owner, or make an existing user an owner with a new password',
  run: async ({ args, database, clock, newId, say }) => {
    const { email, name, password = generatePassword() } = parseCall(args)
    const done = await ensureOwner({ database, clock, newId }, { email, name, password })
    say(done === 'created' ? `${email} is now an owner.` : `${email} is now an owner with a new password.`)
    if (!args.some((arg) => arg.startsWith('--password'))) say(`Password (shown only once): ${password}`)
    return 0
  },
}
