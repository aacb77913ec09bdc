import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { passkeyLogin, passkeyLoginOptions } from '#api/second-factors.ts'
import { toCallError, CallError } from '#web/data/api/call-error.ts'
import { callOpenly } from '#web/data/api/call.ts'
import {
  getPasskey,
  awaitAutofillPasskey,
  canAutofillPasskeys,
  cancelAutofillPasskey,
  type PasskeyResponse,
} from '#web/data/authorization/passkeys.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { t } from '#web/i18n/t.ts'

type Chosen = { readonly id: string; readonly response: PasskeyResponse }

/** The words of a refusal speak of passwords; here nobody typed one. */
function withServerMessage(error: unknown): never {
  const failure = toCallError(error)
  if (failure?.code === 'login-refused') {
    throw new CallError('passkey-unused', t('This passkey isn’t registered in this workspace. Sign in another way.'))
  }
  if (failure?.code === 'gone') throw new CallError('passkey-unused', t('Timed out. Try again.'))
  throw error
}

async function requestPasskey(): Promise<Chosen> {
  const { id, options } = await callOpenly(passkeyLoginOptions)
  return { id, response: await getPasskey(options) }
}

/** What was chosen among the suggestions of the e-mail input; undefined when nothing ever is. */
async function awaitSuggestion(isWanted: () => boolean): Promise<Chosen | undefined> {
  if (!(await canAutofillPasskeys()) || !isWanted()) return undefined
  const offered = await callOpenly(passkeyLoginOptions).then(
    (answer) => answer,
    () => undefined,
  )
  if (!offered || !isWanted()) return undefined
  const response = await awaitAutofillPasskey(offered.options)
  return response && { id: offered.id, response }
}

/**
 * Signing in by a passkey alone: by its button, or chosen among the suggestions of the e-mail input. `isKept`: whether the
 * session is to outlive the browser, as it stands when the passkey is used.
 */
export function usePasskeyLogin(isKept: boolean) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (suggested: Chosen | undefined) => {
      const chosen = suggested ?? (await requestPasskey())
      const body = { ...chosen, remember: isKept }
      return sessionActions.signInWith(() => callOpenly(passkeyLogin, { body }).then(undefined, withServerMessage))
    },
  })

  useEffect(() => {
    let isHere = true
    void awaitSuggestion(() => isHere).then((chosen) => {
      if (chosen && isHere) mutate(chosen)
    })
    return () => {
      isHere = false
      void cancelAutofillPasskey()
    }
  }, [mutate])

  return { signIn: () => mutate(undefined), isPending, error }
}
