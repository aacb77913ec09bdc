import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ResetPasswordForm } from '#web/features/auth/account-links/reset-password-form.tsx'
import { t } from '#web/i18n/t.ts'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { GuestFrame } from './guest-frame.tsx'

/** For those who come with a link to choose a new password. */
export function ResetPasswordPage() {
  const { code = '' } = useSearch({ strict: false })
  const [end, setEnd] = useState<'done' | 'gone' | null>(code === '' ? 'gone' : null)

  if (end === 'done') {
    return (
      <GuestFrame
        title={t('Your password is changed')}
        lead={t('Every device that was signed in to your account is signed out now. Sign in with the new password.')}
      >
        <BackToSignIn isMain>{t('Sign in')}</BackToSignIn>
      </GuestFrame>
    )
  }
  if (end === 'gone') {
    return (
      <GuestFrame
        title={t('This link does not work')}
        lead={t('It is incomplete, was used before, or is older than one hour. Your password is unchanged.')}
      >
        <Button component={Link} to="/forgot-password" variant="filled" size="md" fullWidth>
          {t('Ask for a new link')}
        </Button>
        <BackToSignIn />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame
      title={t('Choose a new password')}
      lead={t('Afterwards every device that is signed in to your account is signed out.')}
    >
      <ResetPasswordForm code={code} onDone={() => setEnd('done')} onGone={() => setEnd('gone')} />
    </GuestFrame>
  )
}
