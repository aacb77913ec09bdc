import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { beginProviderLogin } from '#api/providers.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { IconLogin2 } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import './reauthentication-form.css'
import { rememberReturn } from '#web/features/auth/sign-in/return-path.ts'

type ProviderReauthenticationProps = {
  readonly providers: readonly { readonly name: string; readonly label: string }[]
  readonly isOnlyWay: boolean
}

/** The page one is on, to come back to. */
const here = () => window.location.pathname + window.location.search + window.location.hash

/** Proves who one is by signing in once more with an identity provider, and coming back. */
export function ProviderReauthentication({ providers, isOnlyWay }: ProviderReauthenticationProps) {
  const begin = useMutation({
    mutationFn: (provider: string) =>
      call(beginProviderLogin, {
        params: { provider },
        body: { purpose: 'prove', returnTo: here() },
      }),
    onSuccess({ url }) {
      // For the way back where the provider says no.
      rememberReturn(here())
      window.location.assign(url)
    },
  })
  return (
    <div className="proof-providers" data-alone={isOnlyWay || undefined}>
      {!isOnlyWay && <p className="proof-providers-or">{t('or')}</p>}
      {begin.error && <FailureNotice error={begin.error} />}
      {providers.map(({ name, label }, at) => (
        <Button
          key={name}
          size="md"
          fullWidth
          leftSection={<IconLogin2 size={18} stroke={1.5} />}
          {...(isOnlyWay && at === 0 && { variant: 'filled', autoFocus: true, 'data-autofocus': true })}
          // The page is left for the provider's, so what was pressed stays pressed.
          loading={(begin.isPending || begin.isSuccess) && begin.variables === name}
          onClick={() => begin.mutate(name)}
        >
          {t('Sign in again with {label}', { label })}
        </Button>
      ))}
      <p className="proof-form-lead">
        {t('You’ll sign in with your provider and return to this page. Unsaved input on this page will be lost.')}
      </p>
    </div>
  )
}
