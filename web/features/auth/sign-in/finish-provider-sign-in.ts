import { finishProviderLogin } from '#api/providers.ts'
import { toCallError, CallError } from '#web/data/api/call-error.ts'
import { call, callOpenly } from '#web/data/api/call.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { sessionState, whenSettled } from '#web/data/session/session-state.ts'
import { t } from '#web/i18n/t.ts'
import type { Challenge } from './challenge-form.tsx'

export type ProviderResult =
  | { readonly outcome: 'signed-in' | 'linked' | 'proven'; readonly returnTo: string | undefined }
  | { readonly outcome: 'challenge'; readonly challenge: Challenge; readonly returnTo: string | undefined }

/** The generic error title mentions a password, so the server's message is used instead. */
function withServerMessage(error: unknown): never {
  const failure = toCallError(error)
  if (failure?.code === 'login-refused') throw new CallError('forbidden', failure.detail)
  if (failure?.code === 'gone') {
    throw new CallError('gone', t('This sign-in expired or was started in another browser. Start over.'))
  }
  throw error
}

export async function finishProviderSignIn(url: string): Promise<ProviderResult> {
  const { status } = await whenSettled(sessionState)
  // Linking and re-authentication require the session; a sign-in has none yet.
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
