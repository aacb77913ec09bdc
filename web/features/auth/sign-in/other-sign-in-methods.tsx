import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { startProviderLogin, listProviders } from '#api/providers.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import {
  awaitAutofillPasskey,
  canAutofillPasskeys,
  cancelAutofillPasskey,
  canUsePasskeys,
  getPasskey,
  type PasskeyResponse,
} from '#web/data/authorization/passkeys.ts'
import { IconFingerprint, IconLogin2 } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import './other-sign-in-methods.css'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useEffect } from 'react'
import { passkeyLogin, passkeyLoginOptions } from '#api/second-factors.ts'
import { CallError, toCallError } from '#web/data/api/call-error.ts'
import { setTransient } from '#web/data/session/session-tabs.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'

type Chosen = { readonly id: string; readonly response: PasskeyResponse }

/** The generic error title mentions a password, which the user didn't type. */
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

/** The passkey selected from the email field's autofill suggestions; undefined if none was. */
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
 * Signs in with a passkey, using the button or the email field's autofill suggestions. `isKept`: whether the session
 * survives closing the browser.
 */
function usePasskeyLogin(isKept: boolean) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (suggested: Chosen | undefined) => {
      const chosen = suggested ?? (await requestPasskey())
      const body = { ...chosen, remember: isKept }
      setTransient(!isKept)
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

const providersQuery = queryOptions({
  queryKey: queryKeys.providers,
  queryFn: ({ signal }) => callOpenly(listProviders, { signal }),
  // The sign-in page doesn't need fresh data.
  refetchOnWindowFocus: false,
  select: ({ items }) => items,
})

type OtherSignInMethodsProps = {
  /** The return path from the URL. */
  readonly returnTo: string | undefined
  readonly isKept: boolean
}

export function OtherSignInMethods({ returnTo, isKept }: OtherSignInMethodsProps) {
  const { data: providers = [] } = useQuery(providersQuery)
  const passkey = usePasskeyLogin(isKept)
  const begin = useMutation({
    mutationFn: (provider: string) =>
      callOpenly(startProviderLogin, {
        params: { provider },
        body: {
          purpose: 'sign-in',
          remember: isKept,
          ...(returnTo !== undefined && { returnTo }),
        },
      }),
    onSuccess: ({ url }) => {
      setTransient(!isKept)
      window.location.assign(url)
    },
  })
  const hasPasskeys = canUsePasskeys()
  if (!hasPasskeys && providers.length === 0) return null

  return (
    <div className="other-ways-in">
      <p className="other-ways-in-or">{t('or')}</p>
      <FailureNotice error={passkey.error} />
      <FailureNotice error={begin.error} />
      {hasPasskeys && (
        <Button
          size="md"
          fullWidth
          leftSection={<IconFingerprint size={18} stroke={1.5} />}
          loading={passkey.isPending}
          onClick={passkey.signIn}
        >
          {t('Sign in with a passkey')}
        </Button>
      )}
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          size="md"
          fullWidth
          leftSection={<IconLogin2 size={18} stroke={1.5} />}
          // The button remains in the loading state while the browser navigates to the provider.
          loading={(begin.isPending || begin.isSuccess) && begin.variables === name}
          onClick={() => begin.mutate(name)}
        >
          {t('Sign in with {label}', { label })}
        </Button>
      ))}
    </div>
  )
}
