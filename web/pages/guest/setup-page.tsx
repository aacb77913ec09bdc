import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { sessionConfig } from '#web/data/session/session-config.ts'
import { SetupForm } from '#web/features/auth/setup/setup-form.tsx'
import { setupQuery } from '#web/features/auth/setup/setup-query.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

/** Where a new workspace gets its owner. */
export function SetupPage() {
  const { code } = useSearch({ strict: false })
  const { data: setup, isPending } = useQuery(setupQuery)

  if (setup?.needed === false) {
    return (
      <GuestFrame
        title={t('Already set up')}
        lead={t('This workspace has an owner, so the set-up link is of no use any more.')}
      >
        <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
          {t('Sign in')}
        </Button>
      </GuestFrame>
    )
  }
  // A form that goes away under somebody's fingers is worse than a moment of waiting.
  if (isPending) return <GuestFrame title={t('Set up your workspace')} lead={t('One moment.')} isComing />
  if (code === undefined || code === '') {
    return (
      <GuestFrame
        title={t('The link is incomplete')}
        lead={
          <>
            <Say
              text="Open the whole set-up link that the server printed when it started. It looks like <code>/setup?code=…</code>"
              parts={{ code: (inner) => <code>{inner}</code> }}
            />
          </>
        }
      />
    )
  }
  return (
    <GuestFrame
      title={t('Set up your workspace')}
      lead={t('You become its owner. Everything stays on this server; nothing is sent anywhere else.')}
    >
      <SetupForm code={code} />
    </GuestFrame>
  )
}
