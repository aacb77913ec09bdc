import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { beginProviderLogin } from '#api/providers.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { canUsePasskeys } from '#web/data/authorization/passkeys.ts'
import { IconFingerprint, IconLogin2 } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import './other-sign-in-methods.css'
import { providersQuery } from './providers-query.ts'
import { usePasskeyLogin } from './use-passkey-login.ts'

type OtherSignInMethodsProps = {
  /** The page to come back to, where the address names one. */
  readonly returnTo: string | undefined
  /** Whether the session is to outlive the browser. */
  readonly isKept: boolean
}

/** The ways in that need no password here: a passkey, or whoever vouches for one elsewhere. */
export function OtherSignInMethods({ returnTo, isKept }: OtherSignInMethodsProps) {
  const { data: providers = [] } = useQuery(providersQuery)
  const passkey = usePasskeyLogin(isKept)
  const begin = useMutation({
    mutationFn: (provider: string) =>
      callOpenly(beginProviderLogin, {
        params: { provider },
        body: {
          purpose: 'sign-in',
          remember: isKept,
          ...(returnTo !== undefined && { returnTo }),
        },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const hasPasskeys = canUsePasskeys()
  if (!hasPasskeys && providers.length === 0) return null

  return (
    <div className="other-ways-in">
      <p className="other-ways-in-or">{t('or')}</p>
      {passkey.error && <FailureNotice error={passkey.error} />}
      {begin.error && <FailureNotice error={begin.error} />}
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
          // The page is left for the provider's, so what was pressed stays pressed.
          loading={(begin.isPending || begin.isSuccess) && begin.variables === name}
          onClick={() => begin.mutate(name)}
        >
          {t('Sign in with {label}', { label })}
        </Button>
      ))}
    </div>
  )
}
