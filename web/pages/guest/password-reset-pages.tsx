import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ForgotPasswordForm, ResetPasswordForm } from '#web/features/auth/account-links/password-reset-forms.tsx'
import { Say } from '#web/i18n/say.tsx'
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

const FOR_OWNERS = (
  <Say
    text="No email? This workspace may have no mail server; an owner can find the email in the outbox. Are you the only owner? Run <code>npm run dossier -- owner:create</code> on the server."
    parts={{ code: (inner) => <code>{inner}</code> }}
  />
)

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isRequested, setIsRequested] = useState(false)
  if (isRequested) {
    return (
      <GuestFrame
        title={t('Check your inbox')}
        lead={
          <Say
            text="If {email} has an account here, we’ve sent a link to reset your password. It works once and expires in one hour. Your current password keeps working until then."
            values={{ email: <strong>{email}</strong> }}
          />
        }
        foot={FOR_OWNERS}
      >
        <BackToSignIn />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame
      title={t('Reset password')}
      lead={t('Enter your email address and we’ll send you a link to reset your password.')}
      foot={FOR_OWNERS}
    >
      <ForgotPasswordForm email={email} onEmail={setEmail} onRequested={() => setIsRequested(true)} />
      <BackToSignIn />
    </GuestFrame>
  )
}
