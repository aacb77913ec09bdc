import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ResetPasswordForm } from '#web/features/auth/account-links/reset-password-form.tsx'
import { t } from '#web/i18n/t.ts'
import { BackToSignIn, GuestFrame } from './guest-frame.tsx'

export function ResetPasswordPage() {
  const { code = '' } = useSearch({ strict: false })
  const [end, setEnd] = useState<'done' | 'gone' | null>(code === '' ? 'gone' : null)

  if (end === 'done') {
    return (
      <GuestFrame
        title={t('Password changed')}
        lead={t('You were signed out on all devices. Sign in with your new password.')}
      >
        <BackToSignIn isMain>{t('Sign in')}</BackToSignIn>
      </GuestFrame>
    )
  }
  if (end === 'gone') {
    return (
      <GuestFrame
        title={t('This link is no longer valid')}
        lead={t('The link is incomplete, was already used, or is older than one hour. Your password is unchanged.')}
      >
        <Button component={Link} to="/forgot-password" variant="filled" size="md" fullWidth>
          {t('Request a new link')}
        </Button>
        <BackToSignIn />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame title={t('Create a new password')} lead={t('This signs you out on all devices.')}>
      <ResetPasswordForm code={code} onDone={() => setEnd('done')} onGone={() => setEnd('gone')} />
    </GuestFrame>
  )
}
