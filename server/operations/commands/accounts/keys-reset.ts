import { Problem } from '#domain/shared/problem.ts'
import { resetKeys } from '#server/operations/keys/rotate-keys.ts'
import type { Command } from '#server/operations/commands/command.ts'

/** Continues without the keys the database was used with. */
export const keysResetCommand: Command = {
  name: 'keys:reset',
  usage: '',
  summary: 'recover from a lost keys.json: ends all sessions and lists secrets that can no longer be decrypted',
  run: async (needs) => {
    if (needs.args.length > 0) throw new Problem('invalid-request', 'Usage: npm run dossier -- keys:reset')
    const { keyId, endedSessions, withoutAuthenticator } = await resetKeys(needs)
    needs.say(
      `Key ${keyId} is now the signing key. ${endedSessions} sessions were ended; all users must sign in again.`,
    )
    if (withoutAuthenticator.length === 0) return 0
    needs.say(
      'The authenticator secrets of these users can no longer be decrypted. They can sign in with a passkey or recovery code, or a user manager can remove their second factors; for an owner, use owner:create:',
    )
    for (const email of withoutAuthenticator) needs.say(`  ${email}`)
    return 0
  },
}
