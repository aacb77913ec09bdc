import { finishProviderLogin } from '#api/providers.ts'
import { toCallError, CallError } from '#web/data/api/call-error.ts'
import { call, callOpenly } from '#web/data/api/call.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { t } from '#web/i18n/t.ts'
import type { Challenge } from './challenge-form.tsx'

/** What came of a provider's answer. */
export type ProviderResult =
  | { readonly outcome: 'signed-in' | 'linked' | 'proven'; readonly returnTo: string | undefined }
  | { readonly outcome: 'challenge'; readonly challenge: Challenge; readonly returnTo: string | undefined }

/** The titles of refusals speak of passwords; here the server's own sentence says it all. */
function withServerMessage(error: unknown): never {
  const failure = toCallError(error)
  if (failure?.code === 'login-refused') throw new CallError('forbidden', failure.detail)
  if (failure?.code === 'gone') {
    throw new CallError('gone', t('This sign-in expired or was started in another browser. Start over.'))
  }
  throw error
}

/** Hands the address a provider came back to over to the server, and signs in with what that answers. */
export async function finishProviderSignIn(url: string): Promise<ProviderResult> {
  const { status } = await whenSettled(sessionState)
  // A provider is linked and a proof given as the user who asked for it; a sign-in has no session yet.
  const send = status === 'signed-in' ? call : callOpenly
  const { purpose, tokens, challenge, ...rest } = await send(finishProviderLogin, { body: { url } }).then(
    (answer) => answer,
    withServerMessage,
  )
  const returnTo = rest.returnTo ?? undefined
  if (challenge) return { outcome: 'challenge', challenge, returnTo }
  if (!tokens) return { outcome: purpose === 'prove' ? 'proven' : 'linked', returnTo }
  await sessionActions.signInWith(() => Promise.resolve(tokens))
  return { outcome: 'signed-in', returnTo }
}
