import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { SetupForm } from '#web/features/auth/setup-form.tsx'
import { setupQuery } from '#web/features/auth/setup-query.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

export function SetupPage() {
  const { code } = useSearch({ strict: false })
  const { data: setup, isPending } = useQuery(setupQuery)

  if (setup?.needed === false) {
    return (
      <GuestFrame
        title={t('Already set up')}
        lead={t('This workspace already has an owner, so the setup link no longer works.')}
      >
        <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
          {t('Sign in')}
        </Button>
      </GuestFrame>
    )
  }
  // A form must not disappear while the user fills it in, so it is shown only after the status is known.
  if (isPending) return <GuestFrame title={t('Set up your workspace')} lead={t('Loading…')} isComing />
  if (code === undefined || code === '') {
    return (
      <GuestFrame
        title={t('The link is incomplete')}
        lead={
          <Say
            text="Open the full setup link printed when the server started. It looks like <code>/setup?code=…</code>"
            parts={{ code: (inner) => <code>{inner}</code> }}
          />
        }
      />
    )
  }
  return (
    <GuestFrame title={t('Set up your workspace')} lead={t('You’ll be the owner. All data stays on this server.')}>
      <SetupForm code={code} />
    </GuestFrame>
  )
}
