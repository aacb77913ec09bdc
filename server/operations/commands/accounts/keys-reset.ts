import { Problem } from '#domain/shared/problem.ts'
import { resetKeys } from '#server/operations/keys/rotate-keys.ts'
import type { Command } from '#server/operations/commands/command.ts'

/** Continues without the keys the database was used with. */
export const keysResetCommand: Command = {
  name: 'keys:reset',
  usage: '',
  summary: 'continue when keys.json is lost: ends all sessions and lists what can no longer be decrypted',
  run: async (needs) => {
    if (needs.args.length > 0) throw new Problem('invalid-request', 'Call it like this: npm run dossier -- keys:reset')
    const { keyId, endedSessions, withoutAuthenticator } = await resetKeys(needs)
    needs.say(`The key ${keyId} signs from now on. ${endedSessions} sessions were ended; everyone signs in again.`)
    if (withoutAuthenticator.length === 0) return 0
    needs.say(
      'The authenticator secrets of these users can no longer be decrypted. They sign in with a passkey or recovery code, or a manager removes their second factors; owner:create does it for an owner:',
    )
    for (const email of withoutAuthenticator) needs.say(`  ${email}`)
    return 0
  },
}
